package dev.braid.learner.sparse;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.braid.learner.math.MultiplyAdd;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class SparseProductTest {

  /** All groupings, and one addition after the other give the same bits. */
  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void bitsAreThoseOfOneSumAfterTheOther(
      @ForAll @IntRange(min = 0, max = 30) int rows,
      @ForAll @IntRange(min = 0, max = 300) int columns,
      @ForAll("widths") int width,
      @ForAll long seed) {
    Problem problem = new Problem(rows, columns, width, seed);
    float[] expected = problem.expected();

    int groupRows = new SplittableRandom(seed).nextInt(1, 400);
    assertThat(problem.computed(new SparseProduct(width, groupRows))).isEqualTo(expected);
    assertThat(problem.computed(new SparseProduct(width))).isEqualTo(expected);
  }

  @Provide
  Arbitrary<Integer> widths() {
    return Arbitraries.oneOf(
        Arbitraries.integers().between(1, 40), Arbitraries.integers().between(40, 700));
  }

  /** One product is used for batches of all sizes. */
  @Example
  void buffersGrow() {
    int width = 200;
    List<SparseProduct> products = List.of(new SparseProduct(width, 20), new SparseProduct(width));
    int[][] shapes = {{3, 5}, {40, 130}, {2, 64}, {50, 129}, {50, 128}, {1, 1}, {4, 0}, {0, 4}};
    for (int[] shape : shapes) {
      Problem problem = new Problem(shape[0], shape[1], width, 7);
      float[] expected = problem.expected();
      for (SparseProduct product : products) {
        assertThat(problem.computed(product)).isEqualTo(expected);
      }
    }
  }

  /**
   * Tests the gradient of a layer with many features, most of which no sample of the batch has: it
   * has many more rows than there are samples.
   */
  @Example
  void loopsKeepNoMoreThanTheSmallerMatrix() {
    int rows = 20_000;
    int columns = 30;
    int width = 100;
    Problem problem = new Problem(rows, columns, width, 5, 0.001);
    SparseProduct loops = new SparseProduct(width, columns - 1);
    ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    float[] into = problem.place();
    long before = memory.getCurrentThreadAllocatedBytes();
    problem.compute(loops, into);
    long allocated = memory.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated).isLessThan(2L * columns * width * Float.BYTES);
    assertThat(into).isEqualTo(problem.expected());
  }

  private static void oneAfterTheOther(
      SparseMatrix sparse, DenseRows dense, float[] into, int start) {
    for (int row = 0; row < sparse.rows(); row++) {
      for (int i = 0; i < dense.width(); i++) {
        float sum = 0;
        for (int k = sparse.start(row); k < sparse.end(row); k++) {
          int element = dense.start() + sparse.columnOf()[k] * dense.width() + i;
          sum = MultiplyAdd.of(sparse.values()[k], dense.vector()[element], sum);
        }
        into[start + row * dense.width() + i] = sum;
      }
    }
  }

  /** Matrices at any offset in their arrays, and a place for their product. */
  private static final class Problem {
    private final SplittableRandom random;
    private final SparseMatrix sparse;
    private final DenseRows dense;
    private final int start;

    Problem(int rows, int columns, int width, long seed) {
      this(rows, columns, width, seed, new SplittableRandom(seed).nextDouble(0, 0.6));
    }

    Problem(int rows, int columns, int width, long seed, double density) {
      random = new SplittableRandom(seed);
      start = random.nextInt(3);
      sparse = sparse(rows, columns, random.nextInt(3), density);
      dense = new DenseRows(reals(2 + columns * width), 2, width);
    }

    private float[] reals(int length) {
      float[] values = new float[length];
      for (int i = 0; i < length; i++) {
        values[i] = (float) random.nextDouble(-1, 1);
      }
      return values;
    }

    private SparseMatrix sparse(int rows, int columns, int first, double density) {
      List<Integer> columnOf = new ArrayList<>();
      int[] rowStarts = new int[first + rows + 1];
      int[] columnStarts = new int[columns + 1];
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
          if (random.nextDouble() < density) {
            columnOf.add(column);
            columnStarts[column + 1]++;
          }
        }
        rowStarts[first + row + 1] = columnOf.size();
      }
      Arrays.parallelPrefix(columnStarts, Integer::sum);
      int[] indices = columnOf.stream().mapToInt(Integer::intValue).toArray();
      return new SparseMatrix(
          rows, columns, rowStarts, first, columnStarts, 0, indices, reals(indices.length));
    }

    /** Returns the product, and the values before and after it in its array. */
    float[] computed(SparseProduct product) {
      float[] into = place();
      compute(product, into);
      return into;
    }

    /** Returns what {@link #computed} must return. */
    float[] expected() {
      float[] into = place();
      oneAfterTheOther(sparse, dense, into, start);
      return into;
    }

    float[] place() {
      float[] into = new float[start + sparse.rows() * dense.width() + 2];
      Arrays.fill(into, 7);
      return into;
    }

    void compute(SparseProduct product, float[] into) {
      product.compute(sparse, dense, into, start);
    }
  }
}
