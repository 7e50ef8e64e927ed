package dev.braid.connectors.text;

import dev.braid.connectors.file.Texts;
import dev.braid.learner.Shape;
import java.util.Optional;

/**
 * LibSVM's format: {@code label index:value ...}, one sample per line. Indices begin at 1 and
 * ascend, omitted values are 0, and a {@code #} begins a comment. If labels are classes, the labels
 * -1 and +1 are the classes 0 and 1.
 */
final class LibSvm {

  private LibSvm() {}

  /** Appends the file's samples, with unchanged labels: classes or values. */
  static void readInto(NumberedLines file, Rows rows, Shape.Kind kind) {
    for (Optional<String[]> line = next(file); line.isPresent(); line = next(file)) {
      String[] fields = line.get();
      read(file, fields, 1, rows::value);
      if (kind == Shape.Kind.VALUES) {
        rows.endRow(new float[] {file.parseFeature(fields[0])});
      } else {
        rows.endRow(file.parseLabel(fields[0]));
      }
    }
  }

  /** Returns the fields of the next sample. */
  static Optional<String[]> next(NumberedLines file) {
    for (Optional<String> line = file.next(); line.isPresent(); line = file.next()) {
      String text = line.get();
      int comment = text.indexOf('#');
      if (comment >= 0) {
        text = text.substring(0, comment).strip();
      }
      if (!text.isEmpty()) {
        return Optional.of(text.split("\\s+", -1));
      }
    }
    return Optional.empty();
  }

  /** Reads the numbers of a sample from its fields, beginning with field {@code from}. */
  static void read(NumberedLines file, String[] fields, int from, TableRows.Numbers into) {
    int last = 0;
    for (int i = from; i < fields.length; i++) {
      last = readValue(file, into, fields[i], last);
    }
  }

  /** Reads {@code index:value}, and returns the index. */
  private static int readValue(NumberedLines file, TableRows.Numbers into, String field, int last) {
    int colon = field.indexOf(':');
    if (colon < 1) {
      throw file.error(Texts.quote(field) + ": must be index:value");
    }
    int index;
    try {
      index = Integer.parseInt(field.substring(0, colon));
    } catch (NumberFormatException e) {
      throw file.error(Texts.quote(field) + ": the index is not a whole number");
    }
    if (index < 1 || index > TextFormat.MAX_FEATURES) {
      throw file.error("index " + index + ": must be 1 to " + TextFormat.MAX_FEATURES);
    }
    if (index == last) {
      throw file.error("index " + index + " occurs twice");
    }
    if (index < last) {
      throw file.error("index " + index + " after " + last + ": indices must ascend");
    }
    into.accept(index - 1, file.parseFeature(field.substring(colon + 1)));
    return index;
  }

  /** Returns whether a label is -1, so that -1 and +1 are the two classes. */
  static boolean hasSigns(Rows rows) {
    for (int row = 0; row < rows.size(); row++) {
      if (rows.label(row) == -1) {
        return true;
      }
    }
    return false;
  }

  /** Replaces -1 and +1 by the classes 0 and 1. */
  static void mapSigns(NumberedLines file, Rows rows) {
    for (int row = 0; row < rows.size(); row++) {
      int label = rows.label(row);
      if (label != -1 && label != 1) {
        throw file.error(
            rows.line(row),
            "label " + label + " in a file with -1: only -1 and +1 are possible together");
      }
      rows.relabel(row, label == 1 ? 1 : 0);
    }
  }
}
