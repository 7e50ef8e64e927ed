package dev.braid.connectors;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The lines of a text file, with the place for error messages; blank lines are skipped. */
final class TextFile implements AutoCloseable {

  /** A label beyond this is a mistake: a model has a weight for each class, at least. */
  private static final int MAX_LABEL = (1 << 24) - 1;

  private final DataFile file;
  private final BufferedReader reader;
  private int line;

  TextFile(DataFile file) {
    this.file = file;
    try {
      this.reader =
          new BufferedReader(new InputStreamReader(file.open(), StandardCharsets.UTF_8), 1 << 16);
    } catch (IOException e) {
      throw file.failure(e);
    }
  }

  /** The next line that is not blank, without the blanks around it. */
  Optional<String> next() {
    try {
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        line++;
        if (line == 1 && text.startsWith("\ufeff")) {
          text = text.substring(1);
        }
        text = text.strip();
        if (!text.isEmpty()) {
          return Optional.of(text);
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw file.failure(e);
    }
  }

  /** The number of the line that was read last, from 1. */
  int line() {
    return line;
  }

  /** A mistake in the line that was read last. */
  InvalidDataException error(String message) {
    return error(line, message);
  }

  /** A mistake in a line. */
  InvalidDataException error(int atLine, String message) {
    return new InvalidDataException(file.name() + ":" + atLine + ": " + message);
  }

  /** A mistake of the file as a whole. */
  InvalidDataException fileError(String message) {
    return new InvalidDataException(file.name() + ": " + message);
  }

  /** A finite number. */
  float parseFeature(String text) {
    return (float) parse(text, Float.MAX_VALUE);
  }

  /** A whole number, written as one or as {@code 3.0}. */
  int parseLabel(String text) {
    double label = parse(text, Integer.MAX_VALUE);
    if (label != Math.rint(label)) {
      throw error("label " + text + ": a whole number is needed");
    }
    if (label > MAX_LABEL) {
      throw error("label " + text + ": " + MAX_LABEL + " is the greatest possible class");
    }
    return (int) label;
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

  private double parse(String text, double most) {
    if (!isNumber(text)) {
      throw error("'" + text + "' is not a number");
    }
    double number = Double.parseDouble(text);
    if (Double.isNaN(number) || Math.abs(number) > most) {
      throw error("'" + text + "' is not a finite number that fits");
    }
    return number;
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException e) {
      throw file.failure(e);
    }
  }
}
