package dev.braid.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.vector.Range;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

class ThresholdQuantizerTest {

  private static final float TAU = 0.01f;

  private final SparseValues taken = new SparseValues(0);

  /** Takes values from a vector, in which the residual stays. */
  private void take(float[] vector, Range range, boolean halves) {
    float[] nothing = new float[vector.length];
    if (halves) {
      ThresholdQuantizer.takeWithHalves(nothing, vector, range, TAU, taken);
    } else {
      ThresholdQuantizer.take(nothing, vector, range, TAU, taken);
    }
    taken.subtractFrom(vector);
  }

  @Test
  void takesTheThresholdWithItsSignOnce() {
    float[] vector = {0.005f, 0.01f, -0.01f, 0.035f, -0.02f, 0};
    take(vector, Range.ofLength(6), false);
    assertThat(vector).containsExactly(0.005f, 0, 0, 0.035f - TAU, -0.02f + TAU, 0);
    assertThat(taken.size()).isEqualTo(4);
    float[] sent = new float[6];
    taken.addTo(sent);
    assertThat(sent).containsExactly(0, TAU, -TAU, TAU, -TAU, 0);
  }

  @Test
  void elementsOutsideTheRangeStay() {
    float[] vector = {1, 1, 1};
    take(vector, new Range(1, 2), false);
    assertThat(vector).containsExactly(1, 1 - TAU, 1);
  }

  /** Sterbenz's lemma: a difference is exact if one value is at most twice the other. */
  @Property(tries = 200)
  void whatIsSentAndWhatIsKeptIsWhatThereWas(
      @ForAll long seed, @ForAll boolean halves, @ForAll @IntRange(max = 400) int length) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] before = gaussian(random, length, TAU);
    float[] kept = before.clone();
    take(kept, Range.ofLength(length), halves);
    float[] sent = new float[length];
    taken.copyTo(sent, Range.ofLength(length));
    for (int i = 0; i < length; i++) {
      double error = Math.abs((double) sent[i] + kept[i] - before[i]);
      double bound = Math.abs(before[i]) <= 2 * TAU ? 0 : Math.ulp(before[i]) / 2;
      assertThat(error).isLessThanOrEqualTo(bound);
    }
  }

  /** Compares with Deeplearning4j's own operations, from the library that it calls. */
  @Property(tries = 30)
  void takesWhatDeeplearning4jTakes(@ForAll long seed, @ForAll boolean bitmap) {
    float[] vector = gaussian(new SplittableRandom(seed), 256, TAU);
    try (INDArray theirs = Nd4j.createFromArray(vector.clone())) {
      if (bitmap) {
        INDArray encoded =
            Nd4j.createUninitialized(org.nd4j.linalg.api.buffer.DataType.INT32, 256 / 16 + 5);
        Nd4j.getExecutioner().bitmapEncode(theirs, encoded, TAU);
      } else {
        Nd4j.getExecutioner().thresholdEncode(theirs, TAU);
      }
      take(vector, Range.ofLength(256), bitmap);
      assertThat(vector).containsExactly(theirs.toFloatVector(), within());
    }
  }

  private static org.assertj.core.data.Offset<Float> within() {
    return org.assertj.core.data.Offset.offset(1e-9f);
  }

  @Test
  void refusesWhatIsNoNumber() {
    for (float value : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
      assertThatThrownBy(() -> take(new float[] {0, value}, Range.ofLength(2), false))
          .hasMessageContaining("NaN or infinite");
      assertThatThrownBy(() -> take(new float[] {value}, Range.ofLength(1), true))
          .hasMessageContaining("NaN or infinite");
    }
    for (float tau : new float[] {0, -1, Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE}) {
      float[] zero = new float[1];
      assertThatThrownBy(() -> ThresholdQuantizer.take(zero, zero, Range.ofLength(1), tau, taken))
          .hasMessageContaining("threshold");
    }
  }

  static float[] gaussian(SplittableRandom random, int length, float deviation) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) (deviation * random.nextGaussian());
    }
    return values;
  }

  /** Checks that values can be taken from a sum that is never written to memory. */
  @Property(tries = 100)
  void ofASumItTakesWhatItTakesOfOneVector(@ForAll long seed, @ForAll boolean halves) {
    SplittableRandom random = new SplittableRandom(seed);
    Range range = new Range(3, 3 + random.nextInt(200));
    float[] kept = new float[range.end() + 2];
    float[] added = new float[range.end() + 2];
    float[] sum = new float[range.end() + 2];
    for (int i = 0; i < sum.length; i++) {
      kept[i] = (float) random.nextGaussian();
      added[i] = (float) random.nextGaussian();
      sum[i] = kept[i] + added[i];
    }
    float[] nothing = new float[sum.length];
    SparseValues ofOne = new SparseValues(0);
    SparseValues ofSum = new SparseValues(0);
    if (halves) {
      ThresholdQuantizer.takeWithHalves(nothing, sum, range, 0.7f, ofOne);
      ThresholdQuantizer.takeWithHalves(kept, added, range, 0.7f, ofSum);
    } else {
      ThresholdQuantizer.take(nothing, sum, range, 0.7f, ofOne);
      ThresholdQuantizer.take(kept, added, range, 0.7f, ofSum);
    }
    assertThat(ofSum.size()).isEqualTo(ofOne.size());
    for (int i = 0; i < ofOne.size(); i++) {
      assertThat(ofSum.index(i)).isEqualTo(ofOne.index(i));
      assertThat(ofSum.value(i)).isEqualTo(ofOne.value(i));
    }
  }

  @Test
  void ofASumThatIsNotFiniteItTakesNothing() {
    float[] kept = {0, Float.MAX_VALUE, 0};
    float[] added = {0, Float.MAX_VALUE, 0};
    Range range = Range.ofLength(3);
    assertThatThrownBy(() -> ThresholdQuantizer.take(kept, added, range, 1, new SparseValues(0)))
        .isInstanceOf(NotFiniteException.class);
    assertThatThrownBy(
            () -> ThresholdQuantizer.takeWithHalves(kept, added, range, 1, new SparseValues(0)))
        .isInstanceOf(NotFiniteException.class);
  }
}
