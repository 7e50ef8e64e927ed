package dev.braid.connectors.text;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import java.util.regex.Pattern;

/** Where in a text file reading is, for messages, and how numbers are read there. */
interface TextPlace {

  /** A label beyond this is a mistake: a model has a weight for each class, at least. */
  int MAX_LABEL = (1 << 24) - 1;

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
    float number = feature(text);
    if (Float.isNaN(number)) {
      throw noNumber(text, "");
    }
    return number;
  }

  /** A whole number, written as one or as {@code 3.0}. */
  default int parseLabel(String text) {
    double label = number(text);
    // Neither is what is no number.
    if (!(Math.abs(label) <= Integer.MAX_VALUE)) {
      throw noNumber(text, "");
    }
    if (label != Math.rint(label)) {
      throw error("label " + text + ": must be a whole number, or text" + LabelCheck.REGRESSION);
    }
    if (label > MAX_LABEL) {
      throw error("label " + text + ": the largest possible class is " + MAX_LABEL);
    }
    return (int) label;
  }

  /** A text that is no number, or not one that fits, and the words for where it is. */
  default InvalidDataException noNumber(String text, String where) {
    String mistake =
        isNumber(text)
            ? " is not a finite number in the range of float"
            : " is not a number" + hint(text);
    return error(Texts.quote(text) + where + mistake);
  }

  /** Returns a hint about a text that is no number; empty where there is none. */
  static String hint(String text) {
    return text.matches("[-+]?\\d{1,20},\\d{1,20}") ? ": decimal numbers need a point" : "";
  }

  /** Whether this is written as a number, finite or infinite. */
  static boolean isNumber(String text) {
    return !Double.isNaN(number(text));
  }

  /** Returns the finite number that is written here; NaN if it is none that a float can hold. */
  static float feature(String text) {
    double number = number(text);
    return Math.abs(number) <= Float.MAX_VALUE ? (float) number : Float.NaN;
  }

  /** Returns the number that is written here, for minus infinity infinity; NaN if it is none. */
  static double number(String text) {
    // Java also reads hexadecimal numbers, suffixes, and control characters around a number.
    for (int i = 0; i < text.length(); i++) {
      if (!isOfNumber(text.charAt(i))) {
        return INFINITY.matcher(text).matches() ? Double.POSITIVE_INFINITY : Double.NaN;
      }
    }
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Whether finite numbers are written with this letter. */
  private static boolean isOfNumber(char letter) {
    return switch (letter) {
      case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-', '.', 'e', 'E' -> true;
      default -> false;
    };
  }
}
