package dev.braid.exchange.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Staleness;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
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

  /** The latest of three parts is up to the peer's clock; the others are 1 and 2 less. */
  @Test
  void partsLagOneMoreEach() {
    assertThat(clocks(0, 10, 8).staleness(3)).isEqualTo(new Staleness((2 + 3 + 4) / 3.0, 4));
    assertThat(clocks(0, 10, 11).staleness(3)).isEqualTo(new Staleness((0 + 0 + 1) / 3.0, 1));
    assertThat(clocks(0, 10, 20).staleness(3)).isEqualTo(Staleness.NONE);
  }

  @Test
  void aBoundMayBeReached_whoeverLookedLast() {
    assertThat(clocks(0, 10, 8).allow(2)).isTrue();
    assertThat(clocks(0, 10, 8).allow(1)).isFalse();
  }

  @Test
  void clocksBeginWhereTrainingDoes_andOnlyThoseBehindLag() {
    assertThat(new StalenessClocks(0, 2, 100).of(1)).isEqualTo(100);
    assertThat(clocks(0, 10, 8, 20, 9).lag(0, 10)).isEqualTo(2 + 1);
  }

  @Test
  void noMoreIsMissingThanWasComputed() {
    assertThat(clocks(100, 101, 100).staleness(8)).isEqualTo(new Staleness(1, 1));
    assertThat(clocks(100, 100, 100).staleness(8)).isEqualTo(Staleness.NONE);
  }

  @Test
  void whoIsNotHeardOfDoesNotCount() {
    StalenessClocks clocks = clocks(0, 10, 8, 0);
    clocks.disregard(2);
    assertThat(clocks.staleness(1)).isEqualTo(new Staleness(2, 2));
    assertThat(clocks(0, 10).staleness(1)).isEqualTo(Staleness.NONE);
  }

  @Test
  void whoHasLeftKeepsNobodyWaiting() {
    StalenessClocks clocks = clocks(0, 10, 8, 2);
    assertThat(clocks.allow(2)).isFalse();
    clocks.markAbsent(2);
    assertThat(clocks.slowest()).isEqualTo(8);
    assertThat(clocks.allow(2)).isTrue();
    assertThat(clocks.staleness(1)).isEqualTo(new Staleness(2, 2));
  }

  @Test
  void whoIsBackCountsAsTheSlowestOfTheOthers_andKeepsStepFromThere() {
    StalenessClocks clocks = clocks(0, 10, 8, 2);
    clocks.markAbsent(2);
    clocks.back(2);
    assertThat(clocks.of(2)).as("its own clock").isEqualTo(2);
    assertThat(clocks.slowest()).isEqualTo(8);
    assertThat(clocks.staleness(1)).isEqualTo(new Staleness(2, 2));
    clocks.advance(1, 9);
    assertThat(clocks.slowest()).as("it has not gone on").isEqualTo(8);
    clocks.advance(2, 3);
    assertThat(clocks.slowest()).isEqualTo(9);
  }

  /** The peer has continued elsewhere, and is heard late: 2 + 6 forgiven, then 9 + 0. */
  @Test
  void nobodyIsAheadByWhatWasForgiven() {
    StalenessClocks clocks = clocks(0, 10, 8, 2);
    clocks.markAbsent(2);
    clocks.back(2);
    clocks.advance(2, 9);
    clocks.advance(1, 10);
    assertThat(clocks.slowest()).isEqualTo(9);
  }

  @Test
  void whoIsNotHeardOfIsNotWhenItIsBack() {
    StalenessClocks clocks = clocks(0, 10, 8, 0);
    clocks.disregard(2);
    clocks.markAbsent(2);
    clocks.back(2);
    assertThat(clocks.staleness(1)).isEqualTo(new Staleness(2, 2));
  }

  @Test
  void whatIsForgivenIsSavedWithTheClocks() throws IOException {
    StalenessClocks clocks = clocks(0, 10, 8, 2);
    clocks.markAbsent(2);
    clocks.back(2);
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    clocks.write(new DataOutputStream(saved));
    StalenessClocks restored = new StalenessClocks(0, 3, 10);
    restored.read(new DataInputStream(new ByteArrayInputStream(saved.toByteArray())));
    assertThat(restored.slowest()).isEqualTo(8);
    restored.advance(1, 10);
    restored.advance(2, 3);
    assertThat(restored.slowest()).isEqualTo(9);
  }
}
