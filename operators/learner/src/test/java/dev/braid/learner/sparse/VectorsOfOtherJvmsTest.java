package dev.braid.learner.sparse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.learner.OtherJvm;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs in separate processes, because a JVM's support of vectors is fixed when it starts. */
class VectorsOfOtherJvmsTest {

  /** Prints a product, and whether there are vectors. */
  public static void main(String[] arguments) {
    System.out.println("product " + product(SparseProducts.of(20)));
    try {
      System.out.println("vectors of " + SparseProducts.vectorClass().lanes());
    } catch (ReflectiveOperationException | LinkageError e) {
      System.out.println("no vectors: " + e);
    }
  }

  private static int product(SparseProduct product) {
    int[] rowStarts = {0, 2, 3};
    int[] columnStarts = {0, 1, 2, 3};
    float[] values = {0.1f, 0.2f, 0.3f};
    SparseMatrix sparse =
        new SparseMatrix(2, 3, rowStarts, 0, columnStarts, 0, new int[] {0, 2, 1}, values);
    float[] dense = new float[60];
    for (int i = 0; i < dense.length; i++) {
      dense[i] = 1f / (i + 1);
    }
    float[] into = new float[40];
    product.compute(sparse, new DenseRows(dense, 0, 20), into, 0);
    return Arrays.hashCode(into);
  }

  /** A runtime that was assembled for an image may lack any module that Flink does not need. */
  @ParameterizedTest
  @CsvSource({
    "--add-modules=jdk.incubator.vector, vectors of",
    "--show-version, cannot access class jdk.internal.module.Modules",
    OtherJvm.EXPORTS + " --limit-modules=java.se, vectors of"
  })
  void productsAreComputedWhateverThereIs(String options, String saidOfVectors) throws Exception {
    String output = OtherJvm.output(VectorsOfOtherJvmsTest.class, options.split(" "));
    assertThat(output).contains("product " + product(new LoopProduct(20))).contains(saidOfVectors);
  }
}
