package dev.braid.learner.sparse;

/**
 * Weighted sums of rows, as {@link WeightedRows} computes them, of rows that are stored in one
 * array.
 */
@FunctionalInterface
public interface RowSum {

  /** Number of which a row's length must be a multiple. */
  int LENGTH_UNIT = 16;

  /**
   * Adds {@code factors[i] * rows[which[i]]} to the sum, for each {@code i} from {@code start} to
   * {@code end}, in this order.
   *
   * @param sum {@code float[length]} or longer
   * @param rows row after row, each of {@code length} elements
   */
  void add(float[] sum, float[] rows, int length, int[] which, float[] factors, int start, int end);

  /** Returns the length of a row of {@code numbers} elements, padded with zeros. */
  static int lengthFor(int numbers) {
    return (numbers + LENGTH_UNIT - 1) / LENGTH_UNIT * LENGTH_UNIT;
  }
}
