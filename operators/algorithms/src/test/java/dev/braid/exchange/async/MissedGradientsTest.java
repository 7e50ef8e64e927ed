package dev.braid.exchange.async;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.transport.Outbox.Unsent;
import dev.braid.vector.Range;
import org.junit.jupiter.api.Test;

class MissedGradientsTest {

  private static final int LENGTH = 4;
  private static final Unsent NOTHING = new Unsent(Range.EMPTY, 0, new float[0]);

  private final MissedGradients missed = new MissedGradients(LENGTH);
  private final float[] received = new float[LENGTH];
  private long samples;

  @Test
  void theEndOfAGradient_andAnother_areOneSum() {
    missed.add(new Unsent(new Range(2, 4), 3, new float[] {9, 9, 1, 1}));
    missed.add(new Contribution(0, new float[] {2, 2, 2, 2}, 5));
    assertThat(sendNext(LENGTH)).isEqualTo(Range.ofLength(LENGTH));
    assertThat(received).containsExactly(2, 2, 3, 3);
    assertThat(samples).isEqualTo(8);
    assertThat(missed.isEmpty()).isTrue();
  }

  @Test
  void theEndOfAGradient_aloneIsSentAlone() {
    missed.add(new Unsent(new Range(2, 4), 3, new float[] {9, 9, 1, 1}));
    assertThat(sendNext(LENGTH)).isEqualTo(new Range(2, 4));
    assertThat(received).containsExactly(0, 0, 1, 1);
    assertThat(missed.isEmpty()).isTrue();
    assertThat(missed.isOnlyLate()).isFalse();
  }

  /** The part of the sum that was sent is not missed again. */
  @Test
  void aPeerThatLeavesMeanwhileMissesTheRest() {
    missed.add(new Contribution(0, new float[] {1, 1, 1, 1}, 1));
    assertThat(sendNext(3)).isEqualTo(new Range(0, 3));
    missed.add(NOTHING);
    missed.add(new Contribution(1, new float[] {2, 2, 2, 2}, 1));
    assertThat(sendNext(LENGTH)).isEqualTo(Range.ofLength(LENGTH));
    assertThat(received).containsOnly(3);
    assertThat(samples).isEqualTo(2);
    assertThat(missed.isEmpty()).isTrue();
  }

  /** For the previous chunk, the gradient is sent in another pass, which is the last. */
  @Test
  void whatIsComputedMeanwhile_isInWhatFollows_andThenInAnotherPass() {
    missed.add(new Contribution(0, new float[] {1, 1, 1, 1}, 10));
    sendNext(3);
    missed.add(new Contribution(1, new float[] {2, 2, 2, 2}, 5));
    assertThat(missed.isOnlyLate()).isFalse();
    assertThat(sendNext(3)).isEqualTo(new Range(3, 4));
    assertThat(samples).isEqualTo(15);
    assertThat(received).containsExactly(1, 1, 1, 3);
    assertThat(missed.isOnlyLate()).isTrue();
    assertThat(sendNext(LENGTH)).isEqualTo(Range.ofLength(LENGTH));
    assertThat(samples).isEqualTo(5);
    assertThat(received).containsOnly(3);
    assertThat(missed.isEmpty()).isTrue();
  }

  /** The peer then misses that gradient over the whole vector. */
  @Test
  void aPeerMayLeaveBetweenAGradientAndItsPass() {
    missed.add(new Contribution(0, new float[] {1, 1, 1, 1}, 10));
    sendNext(3);
    missed.add(new Contribution(1, new float[] {2, 2, 2, 2}, 5));
    missed.add(NOTHING);
    assertThat(sendNext(LENGTH)).isEqualTo(Range.ofLength(LENGTH));
    assertThat(samples).isEqualTo(15);
    assertThat(received).containsOnly(3);
    assertThat(missed.isEmpty()).isTrue();
  }

  @Test
  void aGradientOfNoSampleIsNotMissed() {
    missed.add(new Contribution(0, new float[LENGTH], 0));
    assertThat(missed.isEmpty()).isTrue();
  }

  private Range sendNext(int chunkLength) {
    Range[] range = new Range[1];
    missed.sendNext(
        chunkLength,
        chunk -> {
          range[0] = chunk.range();
          samples = chunk.samples();
          for (int i = range[0].start(); i < range[0].end(); i++) {
            received[i] += chunk.values()[i];
          }
        });
    return range[0];
  }
}
