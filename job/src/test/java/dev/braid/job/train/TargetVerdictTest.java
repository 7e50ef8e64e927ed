package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.run.result.EpochLines;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.TestScore;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class TargetVerdictTest {

  private static final List<Evaluation> LINES =
      List.of(EpochLines.of(1, 0.9), EpochLines.of(2, 0.97), EpochLines.of(3, 0.96));

  @Test
  void reached() {
    TargetVerdict verdict =
        TargetVerdict.of(OptionalDouble.of(0.95), LINES, new TestScore.Accuracy(0.96));
    assertThat(verdict.reached())
        .hasValue("95.00 % reached in epoch 2, with 97.00 %, and training ended after epoch 3");
    assertThat(verdict.missed()).isEmpty();
  }

  @Test
  void missed() {
    TargetVerdict verdict =
        TargetVerdict.of(OptionalDouble.of(0.98), LINES, new TestScore.Accuracy(0.96));
    assertThat(verdict.reached()).isEmpty();
    assertThat(verdict.missed())
        .hasValue("--target-accuracy 0.98 was not reached: at best 97.00 %, in epoch 2");
  }

  /** The score of the rest of the test set is unknown. */
  @Test
  void aPartOfTheTestSetReachesNoTarget() {
    List<Evaluation> lines = List.of(EpochLines.of(1, 0.9), EpochLines.ofPart(2, 0.97));
    TargetVerdict verdict = TargetVerdict.of(OptionalDouble.of(0.95), lines, lines.get(1).score());
    assertThat(verdict.reached()).isEmpty();
    assertThat(verdict.missed())
        .hasValue(
            "--target-accuracy 0.95 was not reached: at best 97.00 % of 8 samples, in epoch 2");
  }

  /** An asynchronous exchange evaluates its saved model at the end. */
  @Test
  void theSavedModelCounts() {
    TestScore saved = new TestScore.Accuracy(0.975);
    assertThat(TargetVerdict.of(OptionalDouble.of(0.98), LINES, saved).missed())
        .hasValueSatisfying(missed -> assertThat(missed).contains("at best 97.50 %"));
    TargetVerdict verdict = TargetVerdict.of(OptionalDouble.of(0.975), LINES, saved);
    assertThat(verdict.missed()).isEmpty();
    assertThat(verdict.reached()).isPresent();
  }

  @Test
  void notAskedFor() {
    TargetVerdict verdict =
        TargetVerdict.of(OptionalDouble.empty(), LINES, new TestScore.Accuracy(0.96));
    assertThat(verdict.reached()).isEmpty();
    assertThat(verdict.missed()).isEmpty();
  }
}
