package dev.braid.learner.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.braid.learner.OtherJvm;
import dev.braid.learner.math.MathKernels;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs in separate processes, because a JVM chooses the length of vectors when it starts. */
class MatricesOfOtherJvmsTest {

  /** Prints a product in vectors, if there are any, and the kernels that would compute a layer. */
  public static void main(String[] arguments) {
    MathKernels library = new MathKernels("library", "core", 0);
    System.out.println("a layer: " + MatrixMultipliers.kernels(library, 130).core() + ";");
    try {
      System.out.println("product " + product(MatrixMultipliers.vectorClass().create()));
    } catch (ReflectiveOperationException | LinkageError e) {
      System.out.println("no vectors: " + e);
    }
  }

  /** Returns a checksum of a product with all kinds of edge tiles, and more than one block. */
  private static int product(MatrixMultiplier multiplier) {
    Matrix a = matrix(11, 520);
    Matrix b = matrix(520, 82);
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
    OtherJvm.EXPORTS + ", 'core, and Java''s vectors;'",
    OtherJvm.EXPORTS + " -XX:UseAVX=2, 'core, and Java''s vectors;'",
    OtherJvm.EXPORTS + " -Dbraid.vectors=false, core;",
    OtherJvm.EXPORTS + " -XX:TieredStopAtLevel=1, core;",
    OtherJvm.EXPORTS + " -Xint, core;"
  })
  void bitsAreTheSameWithVectorsOfAnyLength(String options, String core) throws Exception {
    assumeTrue(System.getProperty("os.arch").equals("amd64"));
    assumeTrue(MatrixMultipliers.vectorClass().lanes() >= 8);
    String output = OtherJvm.output(MatricesOfOtherJvmsTest.class, options.split(" "));
    assertThat(output)
        .contains("a layer: " + core)
        .contains("product " + product(new LoopMultiplier()));
  }
}
