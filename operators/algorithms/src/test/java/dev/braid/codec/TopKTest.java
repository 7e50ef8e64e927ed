package dev.braid.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.vector.Range;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TopKTest {

  private final SparseValues taken = new SparseValues(0);
  private final TopK topK = new TopK();

  @Property(tries = 300)
  void takesTheLargestAsTheyAre(
      @ForAll long seed,
      @ForAll @IntRange(max = 300) int length,
      @ForAll @IntRange(max = 320) int k,
      @ForAll @IntRange(min = 1, max = 20) int sizes) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] before = new float[length];
    for (int i = 0; i < length; i++) {
      // Many values are equal, some of them with opposite signs; some are 0; sizes are far apart.
      int size = random.nextInt(-sizes, sizes);
      before[i] = (float) (Math.signum(size) * Math.pow(1.7, Math.abs(size)) * 1e-6);
    }
    float[] kept = before.clone();
    topK.take(kept, Range.ofLength(length), k, taken);

    int[] expected =
        IntStream.range(0, length)
            .filter(i -> before[i] != 0)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer i) -> -Math.abs(before[i])))
            .limit(k)
            .mapToInt(i -> i)
            .sorted()
            .toArray();
    assertThat(IntStream.range(0, taken.size()).map(taken::index)).containsExactly(box(expected));
    float[] sum = kept.clone();
    taken.addTo(sum);
    assertThat(sum).containsExactly(before);
    IntStream.range(0, taken.size()).forEach(i -> assertThat(kept[taken.index(i)]).isZero());
  }

  private static Integer[] box(int[] values) {
    return IntStream.of(values).boxed().toArray(Integer[]::new);
  }

  @Test
  void refusesWhatIsNoNumber() {
    for (float value : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
      float[] vector = {1, value, 2};
      assertThatThrownBy(() -> topK.take(vector, Range.ofLength(3), 1, taken))
          .hasMessageContaining("NaN or infinite");
      assertThat(vector).containsExactly(1, value, 2);
    }
    float[] largest = {Float.MAX_VALUE, 1};
    topK.take(largest, Range.ofLength(2), 1, taken);
    assertThat(taken.value(0)).isEqualTo(Float.MAX_VALUE);
  }
}
