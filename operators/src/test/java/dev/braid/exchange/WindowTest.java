package dev.braid.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When acknowledgements are due, by the length of a vector. */
class WindowTest {

  private static final int CHUNK_LENGTH = 100;

  @Test
  void aVectorThatFitsWaitsForTheOneThatComesBack() {
    assertThat(Window.ofExchange(8, config(800)).ackBytes()).isEqualTo(3_200);
  }

  @Test
  void aLongerOneIsAcknowledgedBeforeItsSenderHasToWait() {
    assertThat(Window.ofExchange(8, config(801)).ackBytes()).isEqualTo(2_400);
  }

  @Test
  void soIsAStreamOfAnyLength() {
    assertThat(Window.ofStream(8, config(1)).ackBytes()).isEqualTo(2_400);
  }

  private static ExchangeConfig config(int length) {
    return new ExchangeConfig(0, 2, length, CHUNK_LENGTH, 0);
  }
}
