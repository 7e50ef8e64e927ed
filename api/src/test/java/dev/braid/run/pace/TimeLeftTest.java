package dev.braid.run.pace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.run.result.EpochLines;
import dev.braid.run.result.Evaluation;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimeLeftTest {

  /** Three epochs of a second each. */
  private static final List<Evaluation> THREE =
      List.of(
          EpochLines.ofValues(1, 0.5, 0.5),
          EpochLines.ofValues(2, 0.5, 0.5),
          EpochLines.ofValues(3, 0.5, 0.5));

  /** The code of a restored process is not compiled yet. */
  @Test
  void aRunThatWasRestored_isExpectedToBeAsFastAsBefore() {
    assertThat(TimeLeft.seconds(THREE, 60, 60_000, 200, false)).hasValue(60);
  }

  @Test
  void aRunThatHasBecomeSlower_isExpectedToStaySo() {
    assertThat(TimeLeft.seconds(THREE, 60, 60_000, 200, true)).hasValue(300);
  }

  @Test
  void evaluationsTakeTimeToo() {
    assertThat(TimeLeft.seconds(THREE, 60, 60_000, 10_000, true)).hasValue(60);
  }

  @Test
  void withoutEpochs_samplesCount() {
    assertThat(TimeLeft.seconds(List.of(), 60, 60_000, 200, false)).hasValue(300);
    assertThat(TimeLeft.seconds(THREE, 60, 60_000, 0, false)).as("all stand still").isEmpty();
  }
}
