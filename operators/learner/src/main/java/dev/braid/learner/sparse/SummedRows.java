package dev.braid.learner.sparse;

/** Rows whose weighted sums are computed, in one array each, as {@link WeightedRows} needs them. */
public final class SummedRows {

  /** Number of which a row's length is a multiple: the JIT compiler's loops then have no rest. */
  private static final int LENGTH_UNIT = 16;

  private final int count;
  private final int length;
  private float[][] rows = {};

  /** Creates {@code count} rows of {@code numbers} elements each. */
  public SummedRows(int count, int numbers) {
    this.length = (numbers + LENGTH_UNIT - 1) / LENGTH_UNIT * LENGTH_UNIT;
    this.count = count;
  }

  /** Returns the length of a row and of a sum; the elements behind a row's numbers are 0. */
  public int length() {
    return length;
  }

  /** Returns the array of a row, in which its numbers are written. The first call allocates all. */
  public float[] row(int row) {
    if (rows.length == 0) {
      rows = new float[count][length];
    }
    return rows[row];
  }

  /**
   * Adds {@code factors[i]} times row {@code which[i]} to the sum, for each {@code i} from {@code
   * start} to {@code end}, in this order.
   *
   * @param sum {@code float[]} of {@link #length} elements
   */
  public void add(float[] sum, int[] which, float[] factors, int start, int end) {
    WeightedRows.add(sum, rows, 0, which, factors, start, end);
  }
}
