package dev.braid.learner.sparse;

/** Sums of rows, as {@link WeightedRows} computes them, of rows that lie in one array. */
@FunctionalInterface
public interface RowSum {

  /** What a row's length must be a multiple of. */
  int LENGTH_UNIT = 16;

  /**
   * Adds {@code factors[i] * rows[which[i]]}, for each {@code i} from start to end, in this order.
   *
   * @param sum as long as a row at least
   * @param rows row after row, each {@code length} long
   */
  void add(float[] sum, float[] rows, int length, int[] which, float[] factors, int start, int end);

  /** How long a row of so many numbers has to be made, with zeros. */
  static int lengthFor(int numbers) {
    return (numbers + LENGTH_UNIT - 1) / LENGTH_UNIT * LENGTH_UNIT;
  }
}
