package dev.braid.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.vector.Range;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LevelQuantizerTest {

  @Property(tries = 300)
  void eachElementIsNearAMultipleOfItsBlocksStep(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 2000) int length,
      @ForAll @IntRange(min = -150, max = 126) int exponent) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] kept = new float[length];
    float[] added = new float[length];
    for (int i = 0; i < length; i++) {
      kept[i] = Math.scalb((float) random.nextDouble(-1, 1), exponent);
      added[i] = Math.scalb((float) random.nextDouble(-1, 1), exponent);
    }
    SparseValues taken = new SparseValues(0);
    LevelQuantizer.take(kept, added, Range.ofLength(length), taken);

    float[] rounded = new float[length];
    taken.copyTo(rounded, Range.ofLength(length));
    for (int start = 0; start < length; start += LevelQuantizer.BLOCK) {
      int end = Math.min(length, start + LevelQuantizer.BLOCK);
      double largest = 0;
      for (int i = start; i < end; i++) {
        largest = Math.max(largest, Math.abs(kept[i] + added[i]));
      }
      double step = Math.max(Math.scalb(1.0, Math.getExponent(largest) - 2), Float.MIN_NORMAL);
      for (int i = start; i < end; i++) {
        double multiple = rounded[i] / step;
        assertThat(multiple).isEqualTo(Math.rint(multiple)).isBetween(-7.0, 7.0);
        // Eight steps are rounded to seven.
        double error = Math.abs(rounded[i] - (kept[i] + added[i])) / step;
        assertThat(error).isLessThanOrEqualTo(Math.abs(multiple) == 7 ? 1 : 0.5);
      }
    }
  }

  /**
   * Moves that are normally distributed, which most elements of a model are not, take most bits.
   */
  @Property(tries = 20)
  void sumsHaveFewBits(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int length = 10_000;
    float[] sum = new float[length];
    SparseValues taken = new SparseValues(0);
    for (int rank = 0; rank < 16; rank++) {
      float[] moves = new float[length];
      for (int i = 0; i < length; i++) {
        moves[i] = (float) random.nextGaussian();
      }
      LevelQuantizer.take(new float[length], moves, Range.ofLength(length), taken);
      byte[] ofOne = new SparseCodec().encode(taken, Range.ofLength(length));
      assertThat(ofOne).hasSizeLessThan((int) (length * 4.8 / 8));
      taken.addTo(sum);
    }
    assertThat(new SparseCodec().encodeIfShorter(sum, Range.ofLength(length)).orElseThrow())
        .hasSizeLessThan((int) (length * 6.5 / 8));
  }

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
  void refusesWhatIsNotFinite(float value) {
    float[] vector = {0, value, 1};
    assertThatThrownBy(
            () -> LevelQuantizer.take(new float[3], vector, Range.ofLength(3), new SparseValues(0)))
        .isInstanceOf(NotFiniteException.class);
  }
}
