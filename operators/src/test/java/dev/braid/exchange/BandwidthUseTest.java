package dev.braid.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BandwidthUseTest {

  private static final ExchangeConfig CONFIG = new ExchangeConfig(0, 8, 100, 100, 0);

  /** 3 gradients a second, of which a fifth of 400 bytes goes to each of 7 others. */
  @Test
  void itPlansForWhatTheCostModelSays() {
    assertThat(BandwidthUse.of(5, 3, 1, CONFIG).plannedBytesPerSecond())
        .isCloseTo(3 * 400 * 7 / 5.0, within(1e-9));
  }
}
