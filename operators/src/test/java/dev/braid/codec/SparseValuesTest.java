package dev.braid.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SparseValuesTest {

  @Property(tries = 200)
  void aSumIsThatOfTheDenseVectors(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 200) int length) {
    SplittableRandom random = new SplittableRandom(seed);
    SparseValues one = random(random, length);
    SparseValues other = random(random, length);
    SparseValues sum = new SparseValues(0);
    sum.setToSum(one, other);
    float[] expected = new float[length];
    one.addTo(expected);
    other.addTo(expected);
    float[] actual = new float[length];
    sum.addTo(actual);
    assertThat(actual).containsExactly(expected);
    assertThat(sum.size()).isBetween(Math.max(one.size(), other.size()), one.size() + other.size());
  }

  private static SparseValues random(SplittableRandom random, int length) {
    SparseValues values = new SparseValues(0);
    double density = random.nextDouble();
    for (int i = 0; i < length; i++) {
      if (random.nextDouble() < density) {
        values.append(i, (float) random.nextGaussian());
      }
    }
    return values;
  }

  @Test
  void indicesMustIncrease() {
    SparseValues values = new SparseValues(1);
    values.append(4, 1);
    assertThatThrownBy(() -> values.append(4, 1)).hasMessageContaining("element 4 after element 4");
    assertThatThrownBy(() -> new SparseValues(0).append(-1, 1)).hasMessageContaining("element -1");
    assertThatThrownBy(() -> values.setToSum(values, new SparseValues(0)))
        .hasMessageContaining("operands");
  }
}
