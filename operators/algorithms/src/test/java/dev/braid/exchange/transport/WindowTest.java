package dev.braid.exchange.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.ExchangeConfig;
import org.junit.jupiter.api.Test;

/** Tests when acknowledgements are due, depending on the length of a vector. */
class WindowTest {

  private static final int CHUNK_LENGTH = 100;

  /** Length of a vector that just fits. */
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

  /** A sender with four messages in flight gets room when two have arrived. */
  @Test
  void anOutboxHearsOfRoomBeforeItHasNone() {
    assertThat(Window.ofOutbox(config(1)).ackMessages()).isBetween(1, Flight.LEAST - 1);
  }

  @Test
  void refusesOneThatLetsItsSenderWait() {
    assertThatThrownBy(() -> new Window(100, 101, 1, 0))
        .hasMessageContaining("100 bytes, acknowledged after 101");
    assertThatThrownBy(() -> new Window(100, 100, Arrivals.SPAN + 1, 0))
        .hasMessageContaining("65 of 64 messages");
  }

  private static ExchangeConfig config(int length) {
    return new ExchangeConfig(0, 2, length, CHUNK_LENGTH, 0);
  }
}
