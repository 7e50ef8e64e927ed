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
    Vectors.add(into, 1, Slice.view(new float[] {9, 9, 2, 3}, 2, 2));
    assertThat(into).containsExactly(1, 3, 4, 1);
    Vectors.add(into, 1, Slice.view(new float[] {9, 2, 3, 9}, 1, 2));
    assertThat(into).containsExactly(1, 5, 7, 1);
    Vectors.add(into, new float[] {1, 1, 1, 1}, new Range(2, 3));
    assertThat(into).containsExactly(1, 5, 8, 1);
  }

  @Example
  void sum_writesItsWindowAndNothingElse() {
    float[] result = {9, 9, 9, 9, 9};
    float[] left = {1, 2, 3, 4, 5};
    Vectors.sum(result, left, 1, Slice.view(new float[] {0, 0, 10, 20, 30}, 2, 3));
    assertThat(result).containsExactly(9, 12, 23, 34, 9);
    assertThat(left).containsExactly(1, 2, 3, 4, 5);
  }

  @Example
  void differencesAndMeans() {
    float[] into = {1, 2, 3, 4};
    Vectors.subtract(into, new float[] {5, 5, 5, 5}, new Range(1, 3));
    assertThat(into).containsExactly(1, -3, -2, 4);
    Vectors.subtractFrom(into, new float[] {5, 5, 5, 5}, new Range(2, 4));
    assertThat(into).containsExactly(1, -3, 7, 1);
    Vectors.mean(into, new float[] {3, 3, 3, 3}, new Range(0, 2));
    assertThat(into).containsExactly(2, 0, 7, 1);
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
