package dev.braid.chaos.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class VirtualQueueTest {

  @Test
  void aMessageTakesItsBytes() {
    assertThat(new VirtualQueue(1e9).send(50, 7)).isEqualTo(57);
  }

  @Test
  void theNextWaits_unlessTheLineIsFree() {
    VirtualQueue line = new VirtualQueue(1e9);
    assertThat(line.send(50, 0)).isEqualTo(50);
    assertThat(line.send(50, 10)).isEqualTo(100);
    assertThat(line.send(50, 500)).isEqualTo(550);
  }

  @Test
  void anUnlimitedLine_keepsNothing() {
    assertThat(new VirtualQueue(Double.POSITIVE_INFINITY).send(1 << 30, 3)).isEqualTo(3);
  }

  /** Two successive lines of one bandwidth are as slow as one, not half as fast. */
  @Test
  void whatComesBitByBit_isNotSlowedDownAgain() {
    VirtualQueue out = new VirtualQueue(1e9);
    VirtualQueue in = new VirtualQueue(1e9);
    assertThat(in.receive(50, out.send(50, 0) + 5)).isEqualTo(55);
    assertThat(in.receive(50, out.send(50, 0) + 5)).isEqualTo(105);
  }

  /** Two senders send to one rank; each message alone would be in time. */
  @Test
  void whatComesAtOnce_passesOneAfterTheOther() {
    VirtualQueue in = new VirtualQueue(1e9);
    assertThat(in.receive(50, 60)).isEqualTo(60);
    assertThat(in.receive(50, 60)).isEqualTo(110);
  }

  /**
   * Messages pass in order, never faster than the bandwidth, and the line is never idle while a
   * message waits.
   */
  @Property
  void neverFasterThanTheBandwidth_neverIdle(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int messages) {
    SplittableRandom random = new SplittableRandom(seed);
    VirtualQueue line = new VirtualQueue(1e8);
    long now = 0;
    long finished = 0;
    for (int i = 0; i < messages; i++) {
      now += random.nextLong(3_000);
      long bytes = random.nextLong(500);
      long finish = line.send(bytes, now);
      assertThat(finish).isEqualTo(Math.max(now, finished) + bytes * 10);
      finished = finish;
    }
  }

  @Test
  void shapesThatAreNone_areRefused() {
    assertThatThrownBy(() -> new LinkShape(0, 0)).hasMessageContaining("0.0 bytes/s");
    assertThatThrownBy(() -> new LinkShape(1, -1)).hasMessageContaining("-1 ns");
  }
}
