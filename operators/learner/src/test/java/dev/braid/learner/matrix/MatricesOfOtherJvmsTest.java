package dev.braid.learner.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.braid.learner.OtherJvm;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs in separate processes, because a JVM chooses the length of vectors when it starts. */
class MatricesOfOtherJvmsTest {

  private static final String WITH_VECTORS = "--add-modules=jdk.incubator.vector";

  /** Prints a product in vectors, if there are any, and what would compute scores. */
  public static void main(String[] arguments) {
    System.out.println("scoring " + MatrixMultipliers.forScoring().getClass().getSimpleName());
    try {
      System.out.println("product " + product(VectorClass.load().create()));
    } catch (ReflectiveOperationException | LinkageError e) {
      System.out.println("no vectors: " + e);
    }
  }

  /** Returns a checksum of a product with all kinds of edge tiles, and more than one block. */
  private static int product(MatrixMultiplier multiplier) {
    Matrix a = matrix(11, 1030);
    Matrix b = matrix(1030, 82);
    Matrix c = matrix(11, 82);
    multiplier.multiply(a, b, c);
    return Arrays.hashCode(c.values());
  }

  private static Matrix matrix(int rows, int columns) {
    float[] values = new float[rows * columns];
    for (int i = 0; i < values.length; i++) {
      values[i] = i * 7919 % 1009 / 1009f - 0.5f;
    }
    return Matrix.byRow(values, 0, rows, columns);
  }

  @ParameterizedTest
  @CsvSource({
    WITH_VECTORS + ", Faster",
    WITH_VECTORS + " -XX:UseAVX=2, Faster",
    WITH_VECTORS + " -Dbraid.vectors=false, BlasMultiplier",
    WITH_VECTORS + " -XX:TieredStopAtLevel=1, BlasMultiplier",
    WITH_VECTORS + " -Xint, BlasMultiplier"
  })
  void bitsAreTheSameWithVectorsOfAnyLength(String options, String scoring) throws Exception {
    assumeTrue(System.getProperty("os.arch").equals("amd64"));
    assumeTrue(VectorClass.load().lanes() >= 8);
    String output = OtherJvm.output(MatricesOfOtherJvmsTest.class, options.split(" "));
    assertThat(output)
        .contains("scoring " + scoring)
        .contains("product " + product(new LoopMultiplier()));
  }

  /** A runtime that was assembled for an image may lack any module that Flink does not need. */
  @Test
  void aJvmWithoutTheModuleScoresWithOpenBlas() throws Exception {
    assertThat(OtherJvm.output(MatricesOfOtherJvmsTest.class, "--show-version"))
        .contains("scoring BlasMultiplier")
        .contains("no vectors");
  }
}
