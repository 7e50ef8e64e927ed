package dev.braid.learner.sparse;

import java.util.Optional;

/**
 * Rows that are summed up, each times a number: in one array, as vectors take them, once these are
 * faster; until then in an array for each, of which the JIT compiler makes vector instructions. The
 * bits are the same.
 */
public final class SummedRows {

  private final int count;
  private final int length;

  private Optional<RowSum> vectors = Optional.empty();
  private float[] together = {};
  private float[][] separate = {};

  /** Of so many numbers each. */
  public SummedRows(int count, int numbers) {
    this.count = count;
    this.length = RowSum.lengthFor(numbers);
    Math.multiplyExact(count, length);
  }

  /** How long a sum is: what is behind a row's numbers is 0. */
  public int length() {
    return length;
  }

  /** What rows held before is lost; all that are summed up are to be written anew. */
  public void begin() {
    if (vectors.isEmpty()) {
      vectors = SparseProducts.rowSum();
    }
    if (vectors.isPresent() && together.length == 0) {
      separate = new float[0][];
      together = new float[count * length];
    } else if (vectors.isEmpty() && separate.length == 0) {
      separate = new float[count][length];
    }
  }

  /** Where a row's numbers are to be written, from {@link #start} on. */
  public float[] array(int row) {
    return vectors.isPresent() ? together : separate[row];
  }

  /** Where in its array a row begins. */
  public int start(int row) {
    return vectors.isPresent() ? row * length : 0;
  }

  /**
   * Adds {@code factors[i]} times row {@code which[i]}, for each {@code i} from start to end, in
   * this order.
   *
   * @param sum {@link #length} long
   */
  public void add(float[] sum, int[] which, float[] factors, int start, int end) {
    if (vectors.isPresent()) {
      vectors.get().add(sum, together, length, which, factors, start, end);
    } else {
      WeightedRows.add(sum, separate, 0, which, factors, start, end);
    }
  }
}
