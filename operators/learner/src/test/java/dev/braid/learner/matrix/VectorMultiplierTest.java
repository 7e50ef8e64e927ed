package dev.braid.learner.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.math.NativeMath;
import java.util.Arrays;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Tests products whose second matrix is fixed. */
class VectorMultiplierTest {

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void bitsAreThoseOfLoopsWhateverTheRows(
      @ForAll @IntRange(min = 1, max = 40) int rows,
      @ForAll @IntRange(min = 1, max = 90) int depth,
      @ForAll @IntRange(min = 1, max = 200) int columns,
      @ForAll boolean isByColumn)
      throws ReflectiveOperationException {
    check(rows, depth, columns, isByColumn);
  }

  @Example
  void sumsContinueFromBlockToBlock() throws ReflectiveOperationException {
    check(13, 2301, 37, false);
    check(3, 1025, 130, false);
    check(25, 1100, 16, true);
  }

  private static void check(int rows, int depth, int columns, boolean isByColumn)
      throws ReflectiveOperationException {
    NativeMath.useOneThread();
    Matrix random = MatrixTrial.random(rows, depth, 1);
    Matrix a = isByColumn ? byColumn(random) : random;
    Matrix b = MatrixTrial.random(depth, columns, 2);
    MatrixMultiplier loops = new LoopMultiplier();
    float[] expected = product(loops, a, b);

    MatrixMultiplier vectors = VectorClass.load().create();
    assertThat(product(vectors, a, b)).isEqualTo(expected);
    Matrix last = Matrix.byRow(random.values(), (rows - 1) * depth, 1, depth);
    assertThat(product(vectors, last, b))
        .isEqualTo(Arrays.copyOfRange(expected, (rows - 1) * columns, rows * columns));
    try (MatrixMultiplier blas = new BlasMultiplier(true)) {
      for (int turn = 0; turn < 2; turn++) {
        assertThat(product(blas, a, b)).containsExactly(expected, within(1e-5f * (1 + depth)));
      }
    }
  }

  private static Matrix byColumn(Matrix byRow) {
    Matrix copy = new Matrix(new float[byRow.size()], 0, byRow.rows(), byRow.columns(), true);
    for (int row = 0; row < byRow.rows(); row++) {
      copy.putRow(row, 0, byRow.columns(), byRow.values(), byRow.at(row, 0));
    }
    return copy;
  }

  private static float[] product(MatrixMultiplier multiplier, Matrix a, Matrix b) {
    float[] values = new float[a.rows() * b.columns()];
    Matrix c = Matrix.byRow(values, 0, a.rows(), b.columns());
    multiplier.multiply(a, b, c);
    float[] once = values.clone();
    multiplier.multiply(a, b, c, true);
    for (int i = 0; i < once.length; i++) {
      assertThat(values[i]).isCloseTo(2 * once[i], within(1e-4f * b.rows()));
    }
    return once;
  }

  @Example
  void aTrialComparesBits() throws ReflectiveOperationException {
    VectorClass vectors = VectorClass.load();
    MatrixTrial trial = new MatrixTrial(vectors);
    assertThat(trial.run()).isPositive();
    assertThat(trial.hasSameBits()).isTrue();
    MatrixTrial ofWrong =
        new MatrixTrial(
            new VectorClass(vectors.lanes(), () -> (a, b, c, adds) -> c.values()[3] = 1));
    assertThat(ofWrong.run()).isPositive();
    assertThat(ofWrong.hasSameBits()).isFalse();
  }
}
