package dev.braid.connectors;

import java.util.Locale;
import java.util.Optional;

/** The text formats of samples, told by a file's name. */
enum TextFormat {

  /**
   * Comma-separated numbers, a sample a line, its label in the last column. A first line without
   * any number is a header.
   */
  CSV {
    @Override
    void readInto(TextFile file, Rows rows) {
      int columns = 0;
      boolean first = true;
      for (Optional<String> line = file.next(); line.isPresent(); line = file.next()) {
        String[] cells = line.get().split(",", -1);
        for (int i = 0; i < cells.length; i++) {
          cells[i] = cells[i].strip();
        }
        if (columns == 0) {
          if (cells.length < 2) {
            throw file.error("1 column: at least a feature and the label are needed");
          }
          columns = cells.length;
        }
        if (cells.length != columns) {
          throw file.error(
              cells.length + " columns: " + columns + " as in the lines above are needed");
        }
        if (!first || !isHeader(cells)) {
          for (int i = 0; i < columns - 1; i++) {
            rows.value(i, file.parseFeature(cells[i]));
          }
          rows.endRow(file.parseLabel(cells[columns - 1]));
        }
        first = false;
      }
    }
  },

  /**
   * {@code label index:value ...}, a sample a line, indices from 1 and ascending, what is left out
   * is 0; a {@code #} begins a comment. The labels -1 and +1 stand for the classes 0 and 1.
   */
  LIBSVM {
    @Override
    void readInto(TextFile file, Rows rows) {
      for (Optional<String> line = file.next(); line.isPresent(); line = file.next()) {
        String text = line.get();
        int comment = text.indexOf('#');
        if (comment >= 0) {
          text = text.substring(0, comment).strip();
        }
        if (text.isEmpty()) {
          continue;
        }
        String[] fields = text.split("\\s+", -1);
        int last = 0;
        for (int i = 1; i < fields.length; i++) {
          last = readValue(file, rows, fields[i], last);
        }
        rows.endRow(file.parseLabel(fields[0]));
      }
      mapSigns(file, rows);
    }
  };

  /** Features beyond this are a mistake: one sample would take 64 MiB. */
  static final int MAX_FEATURES = 1 << 24;

  /** Appends the file's samples. */
  abstract void readInto(TextFile file, Rows rows);

  /** The format of a file of this name, where it has one. */
  static Optional<TextFormat> of(String fileName) {
    String name = stripGz(fileName).toLowerCase(Locale.ROOT);
    if (name.endsWith(".csv")) {
      return Optional.of(CSV);
    }
    if (name.endsWith(".libsvm") || name.endsWith(".svm")) {
      return Optional.of(LIBSVM);
    }
    return Optional.empty();
  }

  /** {@code digits.test.csv} for {@code digits.csv}, with or without {@code .gz} as it has it. */
  static String testName(String fileName) {
    String stem = stripGz(fileName);
    int dot = stem.lastIndexOf('.');
    return stem.substring(0, dot)
        + ".test"
        + stem.substring(dot)
        + fileName.substring(stem.length());
  }

  static String stripGz(String fileName) {
    return fileName.endsWith(".gz") ? fileName.substring(0, fileName.length() - 3) : fileName;
  }

  private static boolean isHeader(String[] cells) {
    for (String cell : cells) {
      if (TextFile.isNumber(cell)) {
        return false;
      }
    }
    return true;
  }

  /** Reads {@code index:value}, and returns the index. */
  private static int readValue(TextFile file, Rows rows, String field, int last) {
    int colon = field.indexOf(':');
    if (colon < 1) {
      throw file.error("'" + field + "': index:value is needed");
    }
    int index;
    try {
      index = Integer.parseInt(field.substring(0, colon));
    } catch (NumberFormatException e) {
      throw file.error("'" + field + "': the index is not a whole number");
    }
    if (index < 1 || index > MAX_FEATURES) {
      throw file.error("index " + index + ": 1 to " + MAX_FEATURES + " are possible");
    }
    if (index == last) {
      throw file.error("index " + index + " comes twice");
    }
    if (index < last) {
      throw file.error("index " + index + " after " + last + ": indices must ascend");
    }
    rows.value(index - 1, file.parseFeature(field.substring(colon + 1)));
    return index;
  }

  /** Makes -1 and +1 the classes 0 and 1. */
  private static void mapSigns(TextFile file, Rows rows) {
    boolean signs = false;
    for (int row = 0; row < rows.size(); row++) {
      signs |= rows.label(row) == -1;
    }
    if (!signs) {
      return;
    }
    for (int row = 0; row < rows.size(); row++) {
      int label = rows.label(row);
      if (label != -1 && label != 1) {
        throw file.error(
            rows.line(row), "label " + label + " in a file with -1: only -1 and +1 go together");
      }
      rows.relabel(row, label == 1 ? 1 : 0);
    }
  }
}
