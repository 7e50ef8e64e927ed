package dev.braid.vector;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class VectorsTest {

  @Example
  void add_changesItsWindowAndNothingElse() {
    float[] into = {1, 1, 1, 1};
    Vectors.add(into, 1, new float[] {9, 9, 2, 3}, 2, 2);
    assertThat(into).containsExactly(1, 3, 4, 1);
  }

  @Example
  void sum_mayHaveAnOperandAsItsResult() {
    float[] left = {1, 2, 3};
    Vectors.sum(left, 0, left, 0, new float[] {0, 10, 20, 30}, 1, 3);
    assertThat(left).containsExactly(11, 22, 33);
  }

  @Property
  void allFinite_findsOneThatIsNot_anywhere(
      @ForAll @IntRange(min = 1, max = 300) int length,
      @ForAll @IntRange(max = 299) int at,
      @ForAll @IntRange(max = 2) int which) {
    float[] vector = new float[length];
    vector[length / 2] = Float.MAX_VALUE;
    assertThat(Vectors.allFinite(vector)).isTrue();
    vector[at % length] =
        new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}[which];
    assertThat(Vectors.allFinite(vector)).isFalse();
  }
}
