package dev.braid.learner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class FeaturesTest {

  @Property(tries = 300)
  void inWhateverForm_theyAreThoseOfTheSamples(
      @ForAll @IntRange(max = 12) int rows,
      @ForAll @IntRange(min = 1, max = 40) int width,
      @ForAll @DoubleRange(min = 0, max = 0.6) double density,
      @ForAll long seed) {
    Random random = new Random(seed);
    float[] x = new float[rows * width];
    int nonZero = 0;
    for (int i = 0; i < x.length; i++) {
      x[i] = random.nextDouble() < density ? 1 + random.nextFloat() : 0;
      nonZero += x[i] == 0 ? 0 : 1;
    }
    Features features = TestModels.batch(Shape.rows(width, 2), x, new int[rows]).features();
    assertThat(features.rows()).isEqualTo(rows);
    assertThat(features.width()).isEqualTo(width);
    // The order matters: with the last two factors first, the product may be another whole number.
    int most = (int) (Features.MOST_DENSITY * rows * width);
    assertThat(features.isSparse()).isEqualTo(nonZero <= most);
    assertThat(features.count()).isEqualTo(features.isSparse() ? nonZero : x.length);
    assertThat(features.toArray()).isEqualTo(x);
    int first = random.nextInt(rows + 1);
    float[] into = new float[x.length];
    Arrays.fill(into, Float.NaN);
    features.copyRows(first, rows - first, into);
    assertThat(Arrays.copyOf(into, (rows - first) * width))
        .isEqualTo(Arrays.copyOfRange(x, first * width, x.length));
  }

  @Example
  void raggedRowsAreRefused() {
    assertThatThrownBy(() -> Features.dense(3, new float[7])).hasMessageContaining("7 features");
  }
}
