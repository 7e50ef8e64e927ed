package dev.braid.exchange.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineRateTest {

  private static final long MILLIS = 1_000_000;
  private static final long HALF = LineRate.WINDOW_BYTES / 2;

  private final LineRate rate = new LineRate();

  @Test
  void isWhatArrivesWhileSomethingIsUnderWay() {
    rate.sent(HALF, 0);
    rate.arrived(HALF, 100 * MILLIS);
    assertThat(rate.bytesPerSecond()).as("too few bytes").isEmpty();
    // No message is in flight for a second.
    rate.sent(HALF, 1_100 * MILLIS);
    rate.arrived(HALF, 1_200 * MILLIS);
    assertThat(rate.bytesPerSecond()).hasValue(5.0 * LineRate.WINDOW_BYTES);
  }

  @Test
  void theLastWindowCounts() {
    rate.sent(4 * HALF, 0);
    rate.arrived(2 * HALF, 10 * MILLIS);
    rate.arrived(2 * HALF, 1_010 * MILLIS);
    assertThat(rate.bytesPerSecond()).hasValue(1.0 * LineRate.WINDOW_BYTES);
  }

  @Test
  void whatIsForgottenDoesNotCount() {
    rate.sent(HALF, 0);
    rate.forget();
    rate.sent(2 * HALF, 1_000 * MILLIS);
    rate.arrived(2 * HALF, 1_100 * MILLIS);
    assertThat(rate.bytesPerSecond()).hasValue(10.0 * LineRate.WINDOW_BYTES);
  }
}
