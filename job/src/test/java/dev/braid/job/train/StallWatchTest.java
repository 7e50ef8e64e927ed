package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallWatchTest {

  private static final long SECOND = 1_000_000_000;

  private final StallWatch watch = new StallWatch();

  @Test
  void saysForHowLongNoRoundCompletes_untilOneDoes() {
    assertThat(watch.stall(10, 100 * 10, SECOND)).isEmpty();
    assertThat(watch.stall(10, 100 * 10, 5 * SECOND)).isEmpty();
    assertThat(watch.stall(10, 100 * 10, 7 * SECOND)).hasValue("no round for 6 s");
    assertThat(watch.stall(10, 100 * 10, 31 * SECOND)).hasValue("no round for 30 s");
    assertThat(watch.stall(11, 100 * 11, 32 * SECOND)).isEmpty();
  }

  @Test
  void aRoundThatTakesAsLongAsOthersIsNoStall() {
    watch.stall(0, 100 * 0, 0);
    watch.stall(1, 100 * 1, 10 * SECOND);
    assertThat(watch.stall(1, 100 * 1, 30 * SECOND)).hasValueSatisfying(line -> {});
    StallWatch slow = new StallWatch();
    slow.stall(0, 100 * 0, 0);
    slow.stall(1, 100 * 1, 4 * SECOND);
    assertThat(slow.stall(1, 100 * 1, 15 * SECOND)).isEmpty();
    assertThat(slow.stall(1, 100 * 1, 17 * SECOND)).hasValue("no round for 13 s");
  }

  @Test
  void aWorkerThatCatchesUpIsNoStall_thoughOthersAreAtTheEnd() {
    watch.stall(450, 1000, 0);
    assertThat(watch.stall(450, 1000, 10 * SECOND)).hasValue("no round for 10 s");
    assertThat(watch.stall(450, 1100, 11 * SECOND)).isEmpty();
    assertThat(watch.stall(450, 1100, 12 * SECOND)).isEmpty();
    assertThat(watch.stall(450, 1100, 17 * SECOND)).hasValue("no round for 6 s");
  }

  @Test
  void linesBecomeRarer() {
    int lines = 0;
    watch.stall(1, 100 * 1, 0);
    for (long now = 0; now < 100 * SECOND; now += SECOND / 3) {
      if (watch.stall(1, 100 * 1, now).isPresent() && watch.isLineDue(now)) {
        lines++;
      }
    }
    assertThat(lines).as("at 5, 10, 20, 40 and 80 s").isEqualTo(5);
  }
}
