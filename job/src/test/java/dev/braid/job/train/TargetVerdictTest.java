package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.result.EpochLines;
import dev.braid.job.result.Evaluation;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class TargetVerdictTest {

  private static final List<Evaluation> LINES =
      List.of(EpochLines.of(1, 0.9), EpochLines.of(2, 0.97), EpochLines.of(3, 0.96));

  @Test
  void reached() {
    TargetVerdict verdict = TargetVerdict.of(OptionalDouble.of(0.95), LINES);
    assertThat(verdict.reached())
        .hasValue("95.00 % reached in epoch 2, with 97.00 %, and training ended after epoch 3");
    assertThat(verdict.missed()).isEmpty();
  }

  @Test
  void missed() {
    TargetVerdict verdict = TargetVerdict.of(OptionalDouble.of(0.98), LINES);
    assertThat(verdict.reached()).isEmpty();
    assertThat(verdict.missed())
        .hasValue("--target-accuracy 0.98 was not reached: at best 97.00 %, in epoch 2");
  }

  /** What the rest of the test set would say is not known. */
  @Test
  void aPartOfTheTestSetReachesNoTarget() {
    List<Evaluation> lines = List.of(EpochLines.of(1, 0.9), EpochLines.ofPart(2, 0.97));
    TargetVerdict verdict = TargetVerdict.of(OptionalDouble.of(0.95), lines);
    assertThat(verdict.reached()).isEmpty();
    assertThat(verdict.missed())
        .hasValue(
            "--target-accuracy 0.95 was not reached: at best 97.00 % of 8 samples, in epoch 2");
  }

  @Test
  void notAskedFor() {
    TargetVerdict verdict = TargetVerdict.of(OptionalDouble.empty(), LINES);
    assertThat(verdict.reached()).isEmpty();
    assertThat(verdict.missed()).isEmpty();
  }
}
