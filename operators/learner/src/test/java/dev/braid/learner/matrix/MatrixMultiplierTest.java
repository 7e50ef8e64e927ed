package dev.braid.learner.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.math.MultiplyAdd;
import dev.braid.learner.math.NativeMath;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class MatrixMultiplierTest {

  /** Loops, and one addition after the other in blocks give the same bits. */
  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void bitsAreThoseOfOneSumAfterTheOther(
      @ForAll @IntRange(min = 0, max = 30) int rows,
      @ForAll @IntRange(min = 0, max = 90) int depth,
      @ForAll @IntRange(min = 0, max = 200) int columns,
      @ForAll long seed) {
    Problem problem = new Problem(rows, depth, columns, seed);
    float[] expected = problem.computed(MatrixMultiplierTest::oneAfterTheOther);

    assertThat(problem.computed(new LoopMultiplier())).isEqualTo(expected);
  }

  @Property(tries = 12, edgeCases = EdgeCasesMode.NONE)
  void sumsContinueFromBlockToBlock(
      @ForAll @IntRange(min = 1, max = 12) int rows,
      @ForAll @IntRange(min = 1000, max = 2500) int depth,
      @ForAll @IntRange(min = 1, max = 300) int columns,
      @ForAll long seed) {
    Problem problem = new Problem(rows, depth, columns, seed);
    float[] expected = problem.computed(MatrixMultiplierTest::oneAfterTheOther);

    assertThat(problem.computed(new LoopMultiplier())).isEqualTo(expected);
  }

  @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
  void openBlasHasTheSameButForRounding(
      @ForAll @IntRange(min = 1, max = 30) int rows,
      @ForAll @IntRange(min = 1, max = 90) int depth,
      @ForAll @IntRange(min = 1, max = 100) int columns,
      @ForAll long seed) {
    NativeMath.useOneThread();
    Problem problem = new Problem(rows, depth, columns, seed);
    float[] expected = problem.computed(MatrixMultiplierTest::oneAfterTheOther);

    try (MatrixMultiplier blas = new BlasMultiplier(false)) {
      float[] computed = problem.computed(blas);
      for (int i = 0; i < computed.length; i++) {
        assertThat(computed[i]).isCloseTo(expected[i], within(1e-5f * (1 + depth)));
      }
    }
  }

  /** One multiplier is used for layers and batches of all sizes. */
  @Example
  void buffersGrow() {
    MatrixMultiplier loops = new LoopMultiplier();
    int[][] shapes = {{3, 5, 9}, {40, 130, 70}, {2, 64, 65}, {1, 1, 1}, {4, 0, 3}, {9, 1100, 40}};
    for (int[] shape : shapes) {
      Problem problem = new Problem(shape[0], shape[1], shape[2], 7);
      float[] expected = problem.computed(MatrixMultiplierTest::oneAfterTheOther);
      assertThat(problem.computed(loops)).isEqualTo(expected);
    }
  }

  private static void oneAfterTheOther(Matrix a, Matrix b, Matrix c, boolean adds) {
    for (int row = 0; row < c.rows(); row++) {
      for (int column = 0; column < c.columns(); column++) {
        float sum = adds ? c.values()[c.at(row, column)] : 0;
        for (int first = 0; first < b.rows(); first += MatrixMultiplier.BLOCK_DEPTH) {
          float block = sumOfBlock(a, row, b, column, first);
          // If the product is not added to anything, a sum may be −0.
          sum = adds || first > 0 ? sum + block : block;
        }
        c.values()[c.at(row, column)] = sum;
      }
    }
  }

  private static float sumOfBlock(Matrix a, int row, Matrix b, int column, int first) {
    float sum = 0;
    for (int k = first; k < Math.min(first + MatrixMultiplier.BLOCK_DEPTH, b.rows()); k++) {
      sum = MultiplyAdd.of(a.values()[a.at(row, k)], b.values()[b.at(k, column)], sum);
    }
    return sum;
  }

  /** Matrices at any offset in their arrays, in any order, and a place for their product. */
  private static final class Problem {
    private final SplittableRandom random;
    private final Matrix a;
    private final Matrix b;
    private final Matrix empty;
    private final boolean adds;

    Problem(int rows, int depth, int columns, long seed) {
      random = new SplittableRandom(seed);
      a = matrix(rows, depth);
      b = matrix(depth, columns);
      empty = matrix(rows, columns);
      adds = random.nextBoolean();
    }

    private Matrix matrix(int rows, int columns) {
      int start = random.nextInt(3);
      float[] values = new float[start + rows * columns + 2];
      // Products that are too small for a float leave 0 or −0.
      float tiny = random.nextInt(4) == 0 ? 1e-30f : 1;
      for (int i = 0; i < values.length; i++) {
        values[i] = tiny * (float) random.nextDouble(-1, 1);
      }
      return new Matrix(values, start, rows, columns, random.nextBoolean());
    }

    /** Returns the product, and the values before and after it in its array. */
    float[] computed(MatrixMultiplier multiplier) {
      float[] values = Arrays.copyOf(empty.values(), empty.values().length);
      Matrix c = new Matrix(values, empty.start(), empty.rows(), empty.columns(), empty.byColumn());
      multiplier.multiply(a, b, c, adds);
      return values;
    }
  }
}
