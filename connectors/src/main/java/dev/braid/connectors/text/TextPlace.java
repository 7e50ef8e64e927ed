package dev.braid.connectors.text;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;

/** Where in a text file reading is, for messages, and how numbers are read there. */
interface TextPlace {

  /** A label beyond this is a mistake: a model has a weight for each class, at least. */
  int MAX_LABEL = (1 << 24) - 1;

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
    return (float) parse(text, Float.MAX_VALUE);
  }

  /** A whole number, written as one or as {@code 3.0}. */
  default int parseLabel(String text) {
    double label = parse(text, Integer.MAX_VALUE);
    if (label != Math.rint(label)) {
      throw error("label " + text + ": a whole number is needed, or text" + LabelCheck.REGRESSION);
    }
    if (label > MAX_LABEL) {
      throw error("label " + text + ": " + MAX_LABEL + " is the greatest possible class");
    }
    return (int) label;
  }

  private double parse(String text, double most) {
    if (!isNumber(text)) {
      throw error(Texts.quote(text) + " is not a number" + hint(text));
    }
    double number = Double.parseDouble(text);
    if (Double.isNaN(number) || Math.abs(number) > most) {
      throw error(Texts.quote(text) + " is not a finite number that fits");
    }
    return number;
  }

  private static String hint(String text) {
    if (text.isEmpty()) {
      return ": Braid fills no gaps";
    }
    return text.matches("[-+]?\\d{1,20},\\d{1,20}") ? ": decimals need a point" : "";
  }

  /** Whether this is written as a number, finite or not. */
  static boolean isNumber(String text) {
    if (text.isEmpty() || "dDfF".indexOf(text.charAt(text.length() - 1)) >= 0) {
      // Java's literals may end so; nobody's data means it.
      return false;
    }
    try {
      Double.parseDouble(text);
      return text.indexOf('x') < 0 && text.indexOf('X') < 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
