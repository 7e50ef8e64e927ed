package dev.braid.learner.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.learner.Features;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class SparseRowsTest {

  private static float[] random(int length, double density, Random random) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = random.nextDouble() < density ? random.nextFloat() - 0.5f : 0;
    }
    return values;
  }

  /** Returns integers, whose sums are exact in any order. */
  private static float[] integers(int length, double density, Random random) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = random.nextDouble() < density ? random.nextInt(1, 100) : 0;
    }
    return values;
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void productsAreThoseOfAllFeatures(
      @ForAll @IntRange(min = 1, max = 40) int features,
      @ForAll @IntRange(min = 1, max = 9) int outputs,
      @ForAll @IntRange(min = 1, max = 12) int most,
      @ForAll long seed) {
    Random random = new Random(seed);
    SparseRows sparse = new SparseRows(features, outputs);
    int start = random.nextInt(3);
    for (int call = 0; call < 4; call++) {
      int rows = random.nextInt(1, most + 1);
      int first = random.nextInt(3);
      float[] x = integers((first + rows) * features, 0.15, random);
      Features all = of(x, features);
      float[] weights = integers(start + features * outputs, 1, random);
      float[] delta = integers(rows * outputs, 1, random);
      if (!all.isSparse()) {
        continue;
      }
      sparse.take(all, first, rows);
      float[] products = random(rows * outputs, 1, random);
      float[] gradient = random(start + features * outputs, 1, random);
      float before = start == 0 ? 0 : gradient[start - 1];
      sparse.product(weights, start, products);
      sparse.weightGradient(delta, gradient, start);
      for (int o = 0; o < outputs; o++) {
        for (int r = 0; r < rows; r++) {
          float sum = 0;
          for (int i = 0; i < features; i++) {
            sum += x[(first + r) * features + i] * weights[start + i * outputs + o];
          }
          assertThat(products[r * outputs + o]).isEqualTo(sum);
        }
        for (int i = 0; i < features; i++) {
          float sum = 0;
          for (int r = 0; r < rows; r++) {
            sum += x[(first + r) * features + i] * delta[r * outputs + o];
          }
          assertThat(gradient[start + i * outputs + o]).isEqualTo(sum);
        }
      }
      assertThat(start == 0 ? 0 : gradient[start - 1]).isEqualTo(before);
    }
  }

  private static Features of(float[] x, int features) {
    int[] labels = new int[x.length / features];
    return TestModels.batch(Shape.rows(features, 2), x, labels).features();
  }
}
