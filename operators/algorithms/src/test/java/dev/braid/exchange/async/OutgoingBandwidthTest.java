package dev.braid.exchange.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class OutgoingBandwidthTest {

  private static final long SECOND = 1_000_000_000;

  private final OutgoingBandwidth bandwidth = new OutgoingBandwidth(0);

  @Test
  void whatIsNotMeasured_isNotKnown() {
    assertThat(bandwidth.isKnown()).isFalse();
    bandwidth.window(true, 0, SECOND);
    assertThat(bandwidth.isKnown()).as("nothing was sent").isFalse();
  }

  /** A thousand bytes are sent in half a second in which messages are in flight. */
  @Test
  void isBytesOverTheTimeInWhichSomethingWasUnderWay() {
    send(0, SECOND / 2, false, 1000);
    bandwidth.window(true, 1000, SECOND);
    assertThat(bandwidth.bytesPerSecond(0)).isCloseTo(2000, within(1e-6));
  }

  /** A rank that sends little measures round trips, not the network's bandwidth. */
  @Test
  void whereLinksAreNotFull_itIsNoLessThanBefore() {
    send(0, SECOND / 2, false, 1000);
    bandwidth.window(true, 1000, SECOND);
    send(SECOND, SECOND, false, 100);
    bandwidth.window(true, 1100, 2 * SECOND);
    assertThat(bandwidth.bytesPerSecond(0)).isCloseTo(2000, within(1e-6));
  }

  @Test
  void whereLinksAreFull_itIsWhatTheyCarried() {
    send(0, SECOND / 2, false, 1000);
    bandwidth.window(true, 1000, SECOND);
    send(SECOND, SECOND, true, 100);
    bandwidth.window(true, 1100, 2 * SECOND);
    assertThat(bandwidth.bytesPerSecond(0)).isCloseTo(100, within(1e-6));
  }

  /** A window in which receivers were busy and acknowledged late says little about the network. */
  @Test
  void ofTheLatestFullWindows_theBestCounts() {
    long[] carried = {100, 300, 200, 100, 50, 40};
    long arrived = 0;
    for (int i = 0; i < carried.length; i++) {
      send(i * SECOND, SECOND, true, carried[i]);
      arrived += carried[i];
      bandwidth.window(true, arrived, (i + 1) * SECOND);
      double best = i == 0 ? 100 : i < 5 ? 300 : 200;
      assertThat(bandwidth.bytesPerSecond(0)).as("window %d", i).isCloseTo(best, within(1e-6));
    }
  }

  /** 1000 bytes that take half a second to handle mean 2000 bytes a second without other work. */
  @Test
  void isNoMoreThanTheProcessorCanDoBesides() {
    send(0, SECOND / 10, false, 1000);
    bandwidth.spent(SECOND / 2);
    bandwidth.window(true, 1000, SECOND);
    assertThat(bandwidth.bytesPerSecond(0)).isCloseTo(OutgoingBandwidth.SHARE * 2000, within(1e-6));
  }

  /** Nearly empty messages take half a second to handle. */
  @Test
  void isNoLessThanFullMessages_asFarAsTheProcessorGoes() {
    send(0, SECOND / 10, false, 1000);
    bandwidth.spent(SECOND / 2);
    bandwidth.window(true, 1000, SECOND);
    assertThat(bandwidth.bytesPerSecond(5000)).isCloseTo(5000, within(1e-6));
    assertThat(bandwidth.bytesPerSecond(1e9)).as("network").isCloseTo(1e4, within(1e-6));
  }

  @Test
  void aWindowThatDoesNotCount_changesNothing() {
    send(0, SECOND / 2, true, 1000);
    bandwidth.window(false, 1000, SECOND);
    assertThat(bandwidth.isKnown()).isFalse();
  }

  private void send(long fromNanos, long nanos, boolean waits, long bytes) {
    assertThat(bytes).isPositive();
    bandwidth.stands(true, waits, fromNanos);
    bandwidth.stands(false, false, fromNanos + nanos);
  }
}
