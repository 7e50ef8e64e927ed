package dev.braid.exchange.async;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.transport.Outbox;
import dev.braid.exchange.transport.Outbox.Unsent;
import dev.braid.vector.Range;
import org.junit.jupiter.api.Test;

class ArrearsTest {

  private static final int LENGTH = 4;
  private static final float[] OTHER = new float[LENGTH];

  private final RecordingPort port = new RecordingPort();
  private final Outbox outbox =
      new Outbox(new ExchangeConfig(0, 2, LENGTH, LENGTH, 0), port, Gradient::new);
  private final Arrears arrears = new Arrears(LENGTH);

  @Test
  void theEndOfAGradient_andAnother_areOneSum() {
    arrears.add(new Unsent(new Range(2, 4), 3, new float[] {9, 9, 1, 1}));
    assertThat(posted().range()).isEqualTo(new Range(2, 4));
    arrears.add(new Unsent(new Range(2, 4), 3, OTHER));
    arrears.add(new Contribution(0, new float[] {2, 2, 2, 2}, 5));
    Gradient sum = posted();
    assertThat(sum.payload().dense().toArray()).containsExactly(2, 2, 3, 3);
    assertThat(sum.samples()).isEqualTo(8);
  }

  /** What was sent of the sum is not missed again. */
  @Test
  void aPeerThatLeavesMeanwhileMissesTheRest() {
    arrears.add(new Contribution(0, new float[] {1, 1, 1, 1}, 1));
    posted();
    arrears.add(new Unsent(new Range(3, 4), 1, OTHER));
    arrears.add(new Contribution(1, new float[] {2, 2, 2, 2}, 1));
    assertThat(posted().payload().dense().toArray()).containsExactly(2, 2, 2, 3);
    arrears.add(new Unsent(Range.EMPTY, 0, OTHER));
    assertThat(arrears.isEmpty()).isTrue();
    assertThat(arrears.isUnderWay()).isFalse();
  }

  @Test
  void aGradientOfNoSampleIsNotMissed() {
    arrears.add(new Contribution(0, new float[LENGTH], 0));
    assertThat(arrears.isEmpty()).isTrue();
  }

  private Gradient posted() {
    arrears.post(outbox, new boolean[] {false, true}, 0);
    return (Gradient) port.takeSent().get(0).body();
  }
}
