package dev.braid.connectors.text;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import java.util.regex.Pattern;

/** Where in a text file reading is, for messages, and how numbers are read there. */
interface TextPlace {

  /** A label beyond this is a mistake: a model has a weight for each class, at least. */
  int MAX_LABEL = (1 << 24) - 1;

  /** Letters of a finite number. */
  String NUMBER_LETTERS = "0123456789+-.eE";

  /** Infinity as Java, C and Python write it. */
  Pattern INFINITY = Pattern.compile("[-+]?inf(inity)?", Pattern.CASE_INSENSITIVE);

  /** The file's name. */
  String name();

  /** The number of the line that was read last, from 1; where a row has several, its first. */
  int line();

  /** A mistake in the line that was read last. */
  default InvalidDataException error(String message) {
    return error(line(), message);
  }

  /** A mistake in a line. */
  default InvalidDataException error(int atLine, String message) {
    return new InvalidDataException(name() + ":" + atLine + ": " + message);
  }

  /** A mistake of the file as a whole. */
  default InvalidDataException fileError(String message) {
    return new InvalidDataException(name() + ": " + message);
  }

  /** A finite number that a float can hold. */
  default float parseFeature(String text) {
    return (float) parse(text, "", Float.MAX_VALUE);
  }

  /** Returns the finite number in a cell of a column, which messages name. */
  default float parseFeature(String cell, String column) {
    return (float) parse(cell, " in " + column, Float.MAX_VALUE);
  }

  /** A whole number, written as one or as {@code 3.0}. */
  default int parseLabel(String text) {
    double label = parse(text, "", Integer.MAX_VALUE);
    if (label != Math.rint(label)) {
      throw error("label " + text + ": a whole number is needed, or text" + LabelCheck.REGRESSION);
    }
    if (label > MAX_LABEL) {
      throw error("label " + text + ": " + MAX_LABEL + " is the greatest possible class");
    }
    return (int) label;
  }

  private double parse(String text, String place, double most) {
    if (!isNumber(text)) {
      throw error(Texts.quote(text) + place + " is not a number" + hint(text));
    }
    double number = isInfinity(text) ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
    if (Math.abs(number) > most) {
      throw error(Texts.quote(text) + place + " is not a finite number that fits");
    }
    return number;
  }

  /** Returns a hint about a text that is no number; empty where there is none. */
  static String hint(String text) {
    return text.matches("[-+]?\\d{1,20},\\d{1,20}") ? ": decimals need a point" : "";
  }

  /** Whether this is written as a number, finite or infinite. */
  static boolean isNumber(String text) {
    // Java also reads hexadecimal numbers, suffixes, and control characters around a number.
    for (int i = 0; i < text.length(); i++) {
      if (NUMBER_LETTERS.indexOf(text.charAt(i)) < 0) {
        return isInfinity(text);
      }
    }
    try {
      Double.parseDouble(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static boolean isInfinity(String text) {
    return INFINITY.matcher(text).matches();
  }
}
