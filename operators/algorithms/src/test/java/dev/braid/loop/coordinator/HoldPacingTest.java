package dev.braid.loop.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.loop.coordinator.LoopEvent.AwaitRound;
import org.junit.jupiter.api.Test;

/** Tests when holds wait for a round, and for how long. */
class HoldPacingTest {

  private final HoldPacing pacing = new HoldPacing();

  @Test
  void whereEachHoldFindsARound_noneWaits() {
    for (int checkpoint = 1; checkpoint < 5; checkpoint++) {
      assertThat(pacing.question(checkpoint)).isEmpty();
      pacing.held(10 + checkpoint);
    }
  }

  @Test
  void afterAHoldThatFoundNoRound_theNextWaitsForOne() {
    pacing.held(3);
    assertThat(pacing.question(2)).as("one hold tells nothing yet").isEmpty();
    pacing.held(3);
    assertThat(pacing.question(3)).contains(new AwaitRound(3, 3, 1_000));
  }

  /** Otherwise every second round would be set back. */
  @Test
  void holdsWaitUntilRoundsComeFasterThanCheckpoints() {
    pacing.held(3);
    pacing.held(3);
    pacing.held(4);
    assertThat(pacing.question(4)).contains(new AwaitRound(4, 4, 1_000));
    pacing.held(6);
    assertThat(pacing.question(5)).isEmpty();
  }

  @Test
  void whereNoRoundComes_eachHoldWaitsTwiceAsLong_andNotForEver() {
    pacing.held(3);
    for (long millis : new long[] {1_000, 2_000, 4_000, 8_000}) {
      pacing.held(3);
      assertThat(pacing.question(millis)).contains(new AwaitRound(millis, 3, millis));
    }
    for (int i = 0; i < 100; i++) {
      pacing.held(3);
    }
    assertThat(pacing.question(9)).contains(new AwaitRound(9, 3, 300_000));
  }

  /** In another view, a rank may be set back. */
  @Test
  void aHoldAfterFewerRounds_hasFoundNone() {
    pacing.held(3);
    pacing.held(2);
    assertThat(pacing.question(3)).contains(new AwaitRound(3, 2, 1_000));
  }
}
