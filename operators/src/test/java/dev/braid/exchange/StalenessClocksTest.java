package dev.braid.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StalenessClocksTest {

  private static StalenessClocks clocks(long start, long own, long... others) {
    StalenessClocks clocks = new StalenessClocks(0, 1 + others.length, start);
    clocks.advance(0, own);
    for (int i = 0; i < others.length; i++) {
      clocks.advance(1 + i, others[i]);
    }
    return clocks;
  }

  @Test
  void whoIsAheadDoesNotMakeUpForWhoIsBehind() {
    assertThat(clocks(0, 10, 8, 20).staleness(1)).isEqualTo(new Staleness(1, 2));
  }

  /** Of three parts, the one that came last is up to the peer's clock, the others 1 and 2 less. */
  @Test
  void partsLagOneMoreEach() {
    assertThat(clocks(0, 10, 8).staleness(3)).isEqualTo(new Staleness((2 + 3 + 4) / 3.0, 4));
    assertThat(clocks(0, 10, 11).staleness(3)).isEqualTo(new Staleness((0 + 0 + 1) / 3.0, 1));
    assertThat(clocks(0, 10, 20).staleness(3)).isEqualTo(Staleness.NONE);
  }

  @Test
  void noMoreIsMissingThanWasComputed() {
    assertThat(clocks(100, 101, 100).staleness(8)).isEqualTo(new Staleness(1, 1));
    assertThat(clocks(100, 100, 100).staleness(8)).isEqualTo(Staleness.NONE);
  }

  @Test
  void whoIsNotHeardOfDoesNotCount() {
    StalenessClocks clocks = clocks(0, 10, 8, 0);
    clocks.leaveOut(2);
    assertThat(clocks.staleness(1)).isEqualTo(new Staleness(2, 2));
    assertThat(clocks(0, 10).staleness(1)).isEqualTo(Staleness.NONE);
  }
}
