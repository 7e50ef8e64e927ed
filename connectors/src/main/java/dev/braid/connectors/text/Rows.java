package dev.braid.connectors.text;

import dev.braid.learner.Targets;
import java.util.Arrays;

/**
 * Rows of numbers with labels or values, as they are read from a text file: sparse or dense, in
 * arrays that grow.
 */
final class Rows {

  /** Bytes of a value: a float and its column, twice, because an array is copied when it grows. */
  private static final int BYTES_PER_VALUE = 16;

  /**
   * Highest number of values: 2 GiB of floats, about the limit of one array, or less if there is
   * less memory.
   */
  static final long MAX_VALUES =
      Math.min((1L << 29) - 8, Runtime.getRuntime().maxMemory() / BYTES_PER_VALUE);

  private final TextPlace file;
  private int size;
  private int[] labels = new int[1024];

  /** Number of values per row instead of a label; 0 if rows have labels. */
  private int valuesOfEach;

  private float[] targets = {};
  private int[] lines = new int[1024];
  private int[] ends = new int[1024];
  private int values;
  private int[] columns = new int[1 << 14];
  private float[] numbers = new float[1 << 14];
  private int width;

  /**
   * @param file source of the rows, for messages
   */
  Rows(TextPlace file) {
    this.file = file;
  }

  /** Appends a value to the row that {@link #endRow} will end. Columns count from 0. */
  void value(int column, float number) {
    if (values == numbers.length) {
      if (values >= MAX_VALUES) {
        throw file.error("more than " + MAX_VALUES + " numbers: more than fit into memory");
      }
      int length = (int) Math.min(2L * values, MAX_VALUES);
      columns = Arrays.copyOf(columns, length);
      numbers = Arrays.copyOf(numbers, length);
    }
    columns[values] = column;
    numbers[values] = number;
    values++;
    width = Math.max(width, column + 1);
  }

  /** Ends a row that has values, the same number in all rows. */
  void endRow(float[] wanted) {
    valuesOfEach = wanted.length;
    if ((long) size * valuesOfEach >= MAX_VALUES) {
      throw file.error("more than " + MAX_VALUES + " values: more than fit into memory");
    }
    int at = size * valuesOfEach;
    if (at + valuesOfEach > targets.length) {
      targets = Arrays.copyOf(targets, 2 * at + 1024 * valuesOfEach);
    }
    System.arraycopy(wanted, 0, targets, at, valuesOfEach);
    endRow(0);
  }

  /**
   * Ends a row that has a label. The row began with the first value after the previous row's end.
   */
  void endRow(int label) {
    if (size == labels.length) {
      if (size >= MAX_VALUES / 2) {
        throw file.error("more than " + size + " rows: more than fit into memory");
      }
      labels = Arrays.copyOf(labels, 2 * size);
      lines = Arrays.copyOf(lines, 2 * size);
      ends = Arrays.copyOf(ends, 2 * size);
    }
    labels[size] = label;
    lines[size] = file.line();
    ends[size] = values;
    size++;
  }

  int size() {
    return size;
  }

  /** Returns one more than the greatest column with a value. */
  int width() {
    return width;
  }

  int label(int row) {
    return labels[row];
  }

  int line(int row) {
    return lines[row];
  }

  void relabel(int row, int label) {
    labels[row] = label;
  }

  /** Returns the labels or the values of these rows. */
  Targets targets(int[] rows) {
    return valuesOfEach == 0
        ? new Targets.Classes(labels).at(rows)
        : new Targets.Values(valuesOfEach, targets).at(rows);
  }

  /** Returns the numbers of these rows, row after row, with zeros where there is no value. */
  float[] dense(int[] rows, int features) {
    if ((long) rows.length * features > MAX_VALUES) {
      throw file.fileError(
          rows.length
              + " rows of "
              + features
              + " features: "
              + MAX_VALUES
              + " numbers are the most");
    }
    float[] dense = new float[rows.length * features];
    for (int i = 0; i < rows.length; i++) {
      int row = rows[i];
      for (int v = row == 0 ? 0 : ends[row - 1]; v < ends[row]; v++) {
        dense[i * features + columns[v]] = numbers[v];
      }
    }
    return dense;
  }
}
