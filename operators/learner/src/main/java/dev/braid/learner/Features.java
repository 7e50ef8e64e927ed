package dev.braid.learner;

import java.util.Arrays;
import java.util.Optional;

/**
 * The read-only features of some samples. Dense features are stored row after row. If most features
 * are 0, as for the pixels of digits or the words of a text, only those that are not 0 are stored.
 * Sparse features take half the memory, and no reader has to search for the values that are not 0.
 */
public final class Features {

  /**
   * Highest share of features that are not 0 for which the sparse form is used. It makes products
   * up to a third to a half faster, the more the wider the layer is. The choice depends only on
   * this constant, because it decides the bits of the result.
   */
  public static final double MOST_DENSITY = 0.3;

  public static final Features NONE = dense(0, new float[0]);

  private final int rows;
  private final int width;
  private final int[] rowStarts;
  private final int[] columns;
  private final float[] values;

  /** The samples of deferred features; empty if the features are stored here. */
  private final Optional<Source> source;

  /**
   * The samples whose features are read part by part, because they are too many to hold at once.
   */
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
   * Returns features in dense form.
   *
   * @param width number of features per sample
   * @param values sample after sample; not copied
   * @throws IllegalArgumentException if {@code values} is not a whole number of rows
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
   * Returns features in sparse form. The arrays are not copied, and the last two may be longer than
   * needed.
   *
   * @param width number of features per sample, including those that are 0
   * @param rowStarts {@code int[samples + 1]}: the index in the other arrays at which each sample
   *     begins, and the index behind the last sample's last value
   * @param columns index of each value's feature, ascending within a sample
   * @param values the values
   */
  public static Features sparse(int width, int[] rowStarts, int[] columns, float[] values) {
    return new Features(rowStarts.length - 1, width, rowStarts, columns, values);
  }

  /**
   * Returns the features of samples that are too many to hold in memory at once. Callers request
   * the values {@linkplain #part part} by part.
   *
   * @param ids not copied
   */
  public static Features deferred(Samples samples, int[] ids) {
    return new Features(new Source(samples, ids));
  }

  /**
   * Returns the features of the samples with these ids, in this order, sparse if at most {@link
   * #MOST_DENSITY} of them are not 0.
   */
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
   * Returns these features, sparse if at most {@link #MOST_DENSITY} of them are not 0.
   *
   * @param width number of features per sample
   * @param values all features, sample after sample; not copied if they stay dense
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

  /** Returns whether the values are not stored here and have to be requested by {@link #part}. */
  public boolean isDeferred() {
    return source.isPresent();
  }

  /**
   * Returns the features of {@code howMany} consecutive samples from index {@code first} on, with
   * their values.
   */
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

  /** Returns the number of samples. */
  public int rows() {
    return rows;
  }

  /** Returns the number of features per sample, including those that are 0. */
  public int width() {
    return width;
  }

  private void requireHere() {
    if (source.isPresent()) {
      throw new IllegalStateException(
          "the features of " + rows + " samples are deferred: they must be read in parts");
    }
  }

  /** Returns whether only features that are not 0 are stored. */
  public boolean isSparse() {
    requireHere();
    return rowStarts.length > 0;
  }

  /** Returns the number of stored values. */
  public int count() {
    return isSparse() ? rowStarts[rows] : values.length;
  }

  /**
   * Returns the index at which each sample's values begin, and the index behind the last sample's
   * end; empty if the features are dense.
   */
  public int[] rowStarts() {
    return rowStarts;
  }

  /** Returns the feature's index of each value; empty if the features are dense. */
  public int[] columns() {
    return columns;
  }

  /** Returns the stored values, sample after sample. Only the first {@link #count()} are valid. */
  public float[] values() {
    requireHere();
    return values;
  }

  /** Writes all features of {@code howMany} samples from index {@code first} on, row after row. */
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

  /** Returns all features, sample after sample. */
  public float[] toArray() {
    float[] all = new float[rows * width];
    copyRows(0, rows, all);
    return all;
  }
}
