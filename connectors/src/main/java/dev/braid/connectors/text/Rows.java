package dev.braid.connectors.text;

import dev.braid.learner.Targets;
import java.util.Arrays;

/**
 * Rows of numbers with labels or values, as they come out of a text file: sparse or dense, one
 * after the other, growing.
 */
final class Rows {

  /** A value takes a float and its column, and both again while an array grows. */
  private static final int BYTES_PER_VALUE = 16;

  /** 2 GiB of floats, about what one array can hold; less where there is less memory. */
  static final long MAX_VALUES =
      Math.min((1L << 29) - 8, Runtime.getRuntime().maxMemory() / BYTES_PER_VALUE);

  private final TextPlace file;
  private int size;
  private int[] labels = new int[1024];

  /** Of each row, in the place of a label; 0 where there are labels. */
  private int valuesOfEach;

  private float[] targets = {};
  private int[] lines = new int[1024];
  private int[] ends = new int[1024];
  private int values;
  private int[] columns = new int[1 << 14];
  private float[] numbers = new float[1 << 14];
  private int width;

  /**
   * @param file where the rows come from, for messages
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

  /** Ends a row that has values, of which all rows have as many. */
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

  /** Ends the row that began with the first value after the last row's end. */
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

  /** One more than the greatest column with a value. */
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

  /** The labels of these rows, or their values. */
  Targets targets(int[] rows) {
    return valuesOfEach == 0
        ? new Targets.Classes(labels).at(rows)
        : new Targets.Values(valuesOfEach, targets).at(rows);
  }

  /** The numbers of these rows, row after row, with zeros where there is no value. */
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
