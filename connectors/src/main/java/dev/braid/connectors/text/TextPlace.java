package dev.braid.connectors.text;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import java.util.regex.Pattern;

/** The current position in a text file, for messages, and the parsing of numbers. */
interface TextPlace {

  /**
   * Greatest label of a class; a greater one is a mistake, because a model has at least one weight
   * per class.
   */
  int MAX_LABEL = (1 << 24) - 1;

  /** Infinity as Java, C and Python write it. */
  Pattern INFINITY = Pattern.compile("[-+]?inf(inity)?", Pattern.CASE_INSENSITIVE);

  /** Returns the file's name. */
  String name();

  /**
   * Returns the number of the most recent line, from 1; for a row of several lines, the first of
   * them.
   */
  int line();

  /** Returns an exception for a mistake in the most recent line. */
  default InvalidDataException error(String message) {
    return error(line(), message);
  }

  /** Returns an exception for a mistake in a line. */
  default InvalidDataException error(int atLine, String message) {
    return new InvalidDataException(name() + ":" + atLine + ": " + message);
  }

  /** Returns an exception for a mistake of the file as a whole. */
  default InvalidDataException fileError(String message) {
    return new InvalidDataException(name() + ": " + message);
  }

  /**
   * Parses a finite number in the range of float.
   *
   * @throws InvalidDataException if the text is not such a number
   */
  default float parseFeature(String text) {
    float number = feature(text);
    if (Float.isNaN(number)) {
      throw noNumber(text, "");
    }
    return number;
  }

  /**
   * Parses a whole number, written as one or as {@code 3.0}.
   *
   * @throws InvalidDataException if the text is not such a number, or is greater than {@link
   *     #MAX_LABEL}
   */
  default int parseLabel(String text) {
    double label = number(text);
    // True also for NaN, which is not a number.
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

  /**
   * Returns an exception for a text that is not a number in the range of float.
   *
   * @param where additional position of the text
   */
  default InvalidDataException noNumber(String text, String where) {
    String mistake =
        isNumber(text)
            ? " is not a finite number in the range of float"
            : " is not a number" + hint(text);
    return error(Texts.quote(text) + where + mistake);
  }

  /** Returns a hint about a text that is not a number; empty if there is none. */
  static String hint(String text) {
    return text.matches("[-+]?\\d{1,20},\\d{1,20}") ? ": decimal numbers need a point" : "";
  }

  /** Returns whether a text is a number, finite or infinite. */
  static boolean isNumber(String text) {
    return !Double.isNaN(number(text));
  }

  /** Returns the finite number of a text; NaN if it is not a number in the range of float. */
  static float feature(String text) {
    double number = number(text);
    return Math.abs(number) <= Float.MAX_VALUE ? (float) number : Float.NaN;
  }

  /** Returns the number of a text, infinity for both infinities; NaN if it is not a number. */
  static double number(String text) {
    // Java also accepts hexadecimal numbers, suffixes, and control characters around a number.
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

  /** Returns whether a character may occur in a finite number. */
  private static boolean isOfNumber(char letter) {
    return switch (letter) {
      case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-', '.', 'e', 'E' -> true;
      default -> false;
    };
  }
}
