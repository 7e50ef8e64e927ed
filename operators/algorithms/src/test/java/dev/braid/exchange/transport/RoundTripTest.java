package dev.braid.exchange.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoundTripTest {

  private static final long MILLIS = 1_000_000;

  @Test
  void steadyRoundTrips_bringTheTimeoutDownToThem() {
    RoundTrip roundTrip = new RoundTrip();
    assertThat(roundTrip.timeoutNanos()).isEqualTo(200 * MILLIS);
    for (int i = 0; i < 100; i++) {
      roundTrip.sample(50 * MILLIS);
    }
    assertThat(roundTrip.timeoutNanos()).isBetween(50 * MILLIS, 51 * MILLIS);
  }

  @Test
  void roundTripsThatVary_leaveRoomForWhatTheyVaryBy() {
    RoundTrip roundTrip = new RoundTrip();
    for (int i = 0; i < 100; i++) {
      roundTrip.sample((i % 2 == 0 ? 40 : 60) * MILLIS);
    }
    assertThat(roundTrip.timeoutNanos()).isBetween(80 * MILLIS, 100 * MILLIS);
  }

  @Test
  void veryShortAndVeryLongOnes_areBounded() {
    RoundTrip quick = new RoundTrip();
    quick.sample(1);
    assertThat(quick.timeoutNanos()).isEqualTo(RoundTrip.MIN_TIMEOUT_NANOS);
    RoundTrip slow = new RoundTrip();
    slow.sample(60_000 * MILLIS);
    assertThat(slow.timeoutNanos()).isEqualTo(RoundTrip.MAX_TIMEOUT_NANOS);
  }
}
