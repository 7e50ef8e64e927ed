package dev.braid.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BandwidthCostTest {

  private static final double GIGABIT = 125e6;

  /**
   * 4 gradients/s of 5 MB to 15 others need 300 MB/s: about three times the bandwidth, rounded up.
   */
  @Test
  void roundsUp() {
    assertThat(BandwidthCost.partitions(4, 5_000_000, 16, GIGABIT)).isEqualTo(3);
    assertThat(BandwidthCost.partitions(5, 5_000_000, 16, GIGABIT)).isEqualTo(3);
    assertThat(BandwidthCost.partitions(5.01, 5_000_000, 16, GIGABIT)).isEqualTo(4);
  }

  @Test
  void isOneAtLeast() {
    assertThat(BandwidthCost.partitions(1, 4, 2, GIGABIT)).isEqualTo(1);
    assertThat(BandwidthCost.partitions(100, 1_000_000, 1, GIGABIT)).isEqualTo(1);
    assertThat(BandwidthCost.partitions(0, 1_000_000, 8, GIGABIT)).isEqualTo(1);
  }

  @Test
  void isBounded() {
    assertThat(BandwidthCost.partitions(1e9, 1L << 40, 1000, 1))
        .isEqualTo(BandwidthCost.MAX_PARTITIONS);
    assertThat(BandwidthCost.partitions(1e9, 6_400, 1000, 1)).isEqualTo(100);
    assertThat(BandwidthCost.partitions(1e9, 16, 1000, 1)).isEqualTo(1);
  }

  /** With the p that the model returns, the network can carry the traffic for any n. */
  @Test
  void whatIsSentStaysConstantWithN() {
    for (int workers = 8; workers <= 1024; workers *= 2) {
      int p = BandwidthCost.partitions(10, 1_000_000, workers, 1e6);
      assertThat(BandwidthCost.bytesPerSecond(10, 1_000_000, workers, p))
          .isCloseTo(1e6, within(1e5))
          .isLessThanOrEqualTo(1e6);
    }
  }

  @Test
  void refusesWhatCannotBe() {
    assertThatThrownBy(() -> BandwidthCost.partitions(1, 1, 1, 0))
        .hasMessageContaining("0.0 bytes/s");
    assertThatThrownBy(() -> BandwidthCost.partitions(Double.NaN, 1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
