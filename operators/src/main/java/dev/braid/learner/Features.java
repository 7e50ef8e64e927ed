package dev.braid.learner;

import java.util.Arrays;
import java.util.Optional;

/**
 * The features of some samples, read-only: all of them, row after row; or, where most are 0, as the
 * pixels of digits or the words of a text are, only those that are not. So they take half of the
 * memory, and nobody has to look for them again.
 */
public final class Features {

  /**
   * Up to this share of features only those that are not 0 are kept. Products with them are faster
   * up to a third to a half, the more the wider the layer is; by this alone, as bits depend on it.
   */
  public static final double MOST_DENSITY = 0.3;

  public static final Features NONE = dense(0, new float[0]);

  private final int rows;
  private final int width;
  private final int[] rowStarts;
  private final int[] columns;
  private final float[] values;

  /** Where they are not here: of which samples they are. */
  private final Optional<Source> source;

  /** Of so many samples that nobody keeps all of them without need. */
  private record Source(Samples samples, int[] ids) {}

  private Features(int rows, int width, int[] rowStarts, int[] columns, float[] values) {
    this.rows = rows;
    this.width = width;
    this.rowStarts = rowStarts;
    this.columns = columns;
    this.values = values;
    this.source = Optional.empty();
  }

  private Features(Source source) {
    this.rows = source.ids().length;
    this.width = source.samples().shape().features();
    this.rowStarts = new int[0];
    this.columns = new int[0];
    this.values = new float[0];
    this.source = Optional.of(source);
  }

  /**
   * All features.
   *
   * @param width how many a sample has
   * @param values sample after sample; not copied
   */
  public static Features dense(int width, float[] values) {
    int rows = width == 0 ? 0 : values.length / width;
    if (rows * width != values.length) {
      throw new IllegalArgumentException(
          values.length + " features: must be a multiple of the row length " + width);
    }
    return new Features(rows, width, new int[0], new int[0], values);
  }

  /**
   * The features that are not 0. The arrays are not copied, and the last two may be longer than
   * needed.
   *
   * @param width how many features a sample has, 0 or not
   * @param rowStarts where each sample's begin in the other arrays; and where the last one's end
   * @param columns which features, ascending within a sample
   * @param values their values
   */
  public static Features sparse(int width, int[] rowStarts, int[] columns, float[] values) {
    return new Features(rowStarts.length - 1, width, rowStarts, columns, values);
  }

  /**
   * Those of so many samples that memory is not to have all of them at once: what they are is asked
   * for {@linkplain #part part} by part.
   *
   * @param ids not copied
   */
  public static Features deferred(Samples samples, int[] ids) {
    return new Features(new Source(samples, ids));
  }

  /** Those of the samples of these ids, in this order, in the form that suits them. */
  public static Features of(Samples samples, int[] ids) {
    int width = samples.shape().features();
    int most = (int) (MOST_DENSITY * ids.length * width);
    int[] rowStarts = new int[ids.length + 1];
    int[] columns = new int[most + width];
    float[] values = new float[most + width];
    int count = 0;
    for (int i = 0; i < ids.length; i++) {
      count += samples.copyNonZero(ids[i], columns, values, count);
      rowStarts[i + 1] = count;
      if (count > most) {
        return allOf(samples, ids, width);
      }
    }
    return sparse(width, rowStarts, columns, values);
  }

  /**
   * Returns features in the form that suits them.
   *
   * @param width how many a sample has
   * @param values all of them, sample after sample; not copied
   */
  public static Features fitting(int width, float[] values) {
    int most = (int) (MOST_DENSITY * values.length);
    int count = 0;
    for (int i = 0; i < values.length && count <= most; i++) {
      count += values[i] == 0 ? 0 : 1;
    }
    return count > most ? dense(width, values) : sparse(width, values, count);
  }

  private static Features sparse(int width, float[] all, int count) {
    int rows = width == 0 ? 0 : all.length / width;
    int[] rowStarts = new int[rows + 1];
    int[] columns = new int[count];
    float[] values = new float[count];
    int next = 0;
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < width; column++) {
        float value = all[row * width + column];
        if (value != 0) {
          columns[next] = column;
          values[next++] = value;
        }
      }
      rowStarts[row + 1] = next;
    }
    return sparse(width, rowStarts, columns, values);
  }

  private static Features allOf(Samples samples, int[] ids, int width) {
    float[] values = new float[ids.length * width];
    for (int i = 0; i < ids.length; i++) {
      samples.copyFeatures(ids[i], values, i * width);
    }
    return dense(width, values);
  }

  /** Whether no values are here: who needs them takes {@link #part parts}. */
  public boolean isDeferred() {
    return source.isPresent();
  }

  /** Those of some samples that follow each other, with their values. */
  public Features part(int first, int howMany) {
    if (source.isPresent()) {
      int[] ids = Arrays.copyOfRange(source.get().ids(), first, first + howMany);
      return of(source.get().samples(), ids);
    }
    if (first == 0 && howMany == rows) {
      return this;
    }
    if (!isSparse()) {
      return dense(width, Arrays.copyOfRange(values, first * width, (first + howMany) * width));
    }
    int start = rowStarts[first];
    int end = rowStarts[first + howMany];
    int[] starts = new int[howMany + 1];
    Arrays.setAll(starts, row -> rowStarts[first + row] - start);
    return sparse(
        width,
        starts,
        Arrays.copyOfRange(columns, start, end),
        Arrays.copyOfRange(values, start, end));
  }

  /** How many samples there are. */
  public int rows() {
    return rows;
  }

  /** How many features a sample has, 0 or not. */
  public int width() {
    return width;
  }

  private void requireHere() {
    if (source.isPresent()) {
      throw new IllegalStateException(
          "the features of " + rows + " samples are deferred: they must be read in parts");
    }
  }

  /** Whether only features that are not 0 are here. */
  public boolean isSparse() {
    requireHere();
    return rowStarts.length > 0;
  }

  /** How many values are here. */
  public int count() {
    return isSparse() ? rowStarts[rows] : values.length;
  }

  /** Where each sample's values begin, and the last one's end; empty if all features are here. */
  public int[] rowStarts() {
    return rowStarts;
  }

  /** Which feature each value is of; empty if all features are here. */
  public int[] columns() {
    return columns;
  }

  /** The first {@link #count()} are features; sample after sample. */
  public float[] values() {
    requireHere();
    return values;
  }

  /** Writes all features of some samples, row after row. */
  public void copyRows(int first, int howMany, float[] into) {
    if (!isSparse()) {
      System.arraycopy(values, first * width, into, 0, howMany * width);
      return;
    }
    Arrays.fill(into, 0, howMany * width, 0);
    for (int r = 0; r < howMany; r++) {
      for (int i = rowStarts[first + r]; i < rowStarts[first + r + 1]; i++) {
        into[r * width + columns[i]] = values[i];
      }
    }
  }

  /** All features, sample after sample. */
  public float[] toArray() {
    float[] all = new float[rows * width];
    copyRows(0, rows, all);
    return all;
  }
}
