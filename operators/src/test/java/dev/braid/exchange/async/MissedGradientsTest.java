package dev.braid.exchange.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.transport.Outbox;
import dev.braid.exchange.transport.Outbox.Unsent;
import dev.braid.vector.Range;
import org.junit.jupiter.api.Test;

class MissedGradientsTest {

  private static final int LENGTH = 4;
  private static final float[] OTHER = new float[LENGTH];

  private final RecordingPort port = new RecordingPort();
  private final Outbox outbox =
      new Outbox(new ExchangeConfig(0, 2, LENGTH, LENGTH, 0), port, Gradient::new);
  private final MissedGradients missed = new MissedGradients(LENGTH);

  @Test
  void theEndOfAGradient_andAnother_areOneSum() {
    missed.add(new Unsent(new Range(2, 4), 3, new float[] {9, 9, 1, 1}));
    assertThat(posted().range()).isEqualTo(new Range(2, 4));
    missed.add(new Unsent(new Range(2, 4), 3, OTHER));
    missed.add(new Contribution(0, new float[] {2, 2, 2, 2}, 5));
    Gradient sum = posted();
    assertThat(sum.payload().dense().toArray()).containsExactly(2, 2, 3, 3);
    assertThat(sum.samples()).isEqualTo(8);
  }

  /** What was sent of the sum is not missed again. */
  @Test
  void aPeerThatLeavesMeanwhileMissesTheRest() {
    missed.add(new Contribution(0, new float[] {1, 1, 1, 1}, 1));
    posted();
    missed.add(new Unsent(new Range(3, 4), 1, OTHER));
    missed.add(new Contribution(1, new float[] {2, 2, 2, 2}, 1));
    assertThat(posted().payload().dense().toArray()).containsExactly(2, 2, 2, 3);
    missed.add(new Unsent(Range.EMPTY, 0, OTHER));
    assertThat(missed.isEmpty()).isTrue();
    assertThat(missed.isUnderWay()).isFalse();
  }

  /** It would come twice, or not at all. */
  @Test
  void whatIsBeingSentTakesNoMoreGradients() {
    missed.add(new Contribution(0, new float[] {1, 1, 1, 1}, 1));
    posted();
    assertThatThrownBy(() -> missed.add(new Contribution(1, new float[LENGTH], 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("gradient of round 1 added to a sum that is being sent");
  }

  @Test
  void aGradientOfNoSampleIsNotMissed() {
    missed.add(new Contribution(0, new float[LENGTH], 0));
    assertThat(missed.isEmpty()).isTrue();
  }

  private Gradient posted() {
    missed.post(outbox, new boolean[] {false, true}, 0);
    return (Gradient) port.takeSent().get(0).body();
  }
}
