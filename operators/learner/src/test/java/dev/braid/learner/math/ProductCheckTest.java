package dev.braid.learner.math;

import static org.assertj.core.api.Assertions.assertThat;

import org.bytedeco.javacpp.FloatPointer;
import org.junit.jupiter.api.Test;

class ProductCheckTest {

  @Test
  void theLibrarysProductsAreRight() {
    assertThat(ProductCheck.isRight()).isTrue();
    assertThat(ProductCheck.isRight(naive(Float.NaN, 0))).as("the sums alone").isTrue();
  }

  /** Simulates a kernel with an error in its last tile, and one that reads uninitialised memory. */
  @Test
  void aWrongElementOfALargeProductIsSeen() {
    assertThat(ProductCheck.isRight(naive(1e-3f, 77 * 77))).isFalse();
    assertThat(ProductCheck.isRight(naive(Float.NaN, 77 * 77))).isFalse();
  }

  /**
   * Returns a kernel whose last element is wrong by {@code mistake}, in products of this many
   * elements.
   */
  private static ProductCheck.Kernels naive(float mistake, int elements) {
    return (product, a, b, c) -> {
      int rows = product.rows();
      int columns = product.columns();
      int depth = product.depth();
      for (int column = 0; column < columns; column++) {
        for (int row = 0; row < rows; row++) {
          float sum = 0;
          for (int k = 0; k < depth; k++) {
            sum +=
                a.get(product.aTransposed() ? (long) row * depth + k : (long) k * rows + row)
                    * b.get(
                        product.bTransposed()
                            ? (long) k * columns + column
                            : (long) column * depth + k);
          }
          put(c, column * rows + row, sum);
        }
      }
      int last = rows * columns - 1;
      if (last + 1 == elements) {
        put(c, last, c.get(last) + mistake);
      }
    };
  }

  private static void put(FloatPointer c, int index, float value) {
    c.put(index, value);
  }
}
