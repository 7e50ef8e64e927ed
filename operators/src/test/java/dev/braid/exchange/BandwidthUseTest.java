package dev.braid.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BandwidthUseTest {

  private static final ExchangeConfig CONFIG = new ExchangeConfig(0, 8, 100, 100, 0);

  @Test
  void whatIsPacked_isUnpackedAsFloat32() {
    for (double rate : new double[] {0, 1e-3, 33.25, 1e6}) {
      for (double bytes : new double[] {1, 25e6, 1.25e9, 1e12}) {
        BandwidthUse use = BandwidthUse.of(5, (float) rate, (float) bytes, CONFIG);
        assertThat(BandwidthUse.unpack(5, use.packed(), CONFIG)).isEqualTo(use);
      }
    }
  }

  /** 3 gradients a second, of which a fifth of 400 bytes goes to each of 7 others. */
  @Test
  void itPlansForWhatTheCostModelSays() {
    assertThat(BandwidthUse.of(5, 3, 1, CONFIG).plannedBytesPerSecond())
        .isCloseTo(3 * 400 * 7 / 5.0, within(1e-9));
  }
}
