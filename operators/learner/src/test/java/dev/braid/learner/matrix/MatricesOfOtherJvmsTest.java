package dev.braid.learner.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    String output = output(options.split(" "));
    assertThat(output)
        .contains("scoring " + scoring)
        .contains("product " + product(new LoopMultiplier()));
  }

  /** A runtime that was assembled for an image may lack any module that Flink does not need. */
  @Test
  void aJvmWithoutTheModuleScoresWithOpenBlas() throws Exception {
    assertThat(output("--show-version")).contains("scoring BlasMultiplier").contains("no vectors");
  }

  /** Runs the main method and returns its output; fails unless the process exits with 0. */
  private static String output(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(
        List.of(
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            MatricesOfOtherJvmsTest.class.getName()));
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.to(new File("/dev/null")))
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
