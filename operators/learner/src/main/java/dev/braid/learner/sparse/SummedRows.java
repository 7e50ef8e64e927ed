package dev.braid.learner.sparse;

import java.util.Optional;

/**
 * Rows whose weighted sums are computed. They are stored in one array for vectors, once vectors are
 * faster; until then in one array for each row, which the JIT compiler needs to vectorise its
 * loops. The bits are the same.
 */
public final class SummedRows {

  private final int count;
  private final int length;

  private Optional<RowSum> vectors = Optional.empty();
  private float[] together = {};
  private float[][] separate = {};

  /** Creates {@code count} rows of {@code numbers} elements each. */
  public SummedRows(int count, int numbers) {
    this.count = count;
    this.length = RowSum.lengthFor(numbers);
    Math.multiplyExact(count, length);
  }

  /** Returns the length of a sum; the elements behind a row's numbers are 0. */
  public int length() {
    return length;
  }

  /**
   * Begins new rows. The previous contents are lost; all rows that are summed must be written
   * again.
   */
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

  /** Returns the array in which a row's numbers must be written, from {@link #start} on. */
  public float[] array(int row) {
    return vectors.isPresent() ? together : separate[row];
  }

  /** Returns the index in its array at which a row begins. */
  public int start(int row) {
    return vectors.isPresent() ? row * length : 0;
  }

  /**
   * Adds {@code factors[i]} times row {@code which[i]} to the sum, for each {@code i} from {@code
   * start} to {@code end}, in this order.
   *
   * @param sum {@code float[]} of {@link #length} elements
   */
  public void add(float[] sum, int[] which, float[] factors, int start, int end) {
    if (vectors.isPresent()) {
      vectors.get().add(sum, together, length, which, factors, start, end);
    } else {
      WeightedRows.add(sum, separate, 0, which, factors, start, end);
    }
  }
}
