package dev.braid.exchange.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.ExchangeConfig;
import org.junit.jupiter.api.Test;

/** When acknowledgements are due, by the length of a vector. */
class WindowTest {

  private static final int CHUNK_LENGTH = 100;

  /** Of a vector that just fits. */
  private static final int FULL = 3_200;

  @Test
  void aVectorThatFitsWaitsForTheOneThatComesBack() {
    assertThat(Window.ofExchange(config(FULL)).ackBytes()).isEqualTo(12_800);
  }

  @Test
  void aLongerOneIsAcknowledgedBeforeItsSenderHasToWait() {
    assertThat(Window.ofExchange(config(FULL + 1)).ackBytes()).isEqualTo(9_600);
  }

  @Test
  void soIsAStreamOfAnyLength() {
    assertThat(Window.ofStream(config(1)).ackBytes()).isEqualTo(9_600);
  }

  private static ExchangeConfig config(int length) {
    return new ExchangeConfig(0, 2, length, CHUNK_LENGTH, 0);
  }
}
