package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.console.ExitCodes;
import dev.braid.run.result.BestModel;
import dev.braid.run.result.EpochLines;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunGoal;
import dev.braid.run.result.Status;
import dev.braid.run.result.Statuses;
import dev.braid.run.result.TestScore;
import dev.braid.run.result.WorkerMeans;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunVerdictTest {

  private static final double GUESSING = 2.3;
  private static final String OFF = "not every sample was used exactly once: see the ledger above";
  private static final String MISSED =
      "--target-accuracy 0.98 was not reached: at best 97.00 %, in epoch 2";

  private enum Ledger {
    EXACT,
    MISSED_SOME,
    OFF
  }

  @ParameterizedTest
  @CsvSource({
    "EXACT,       false, 0.97, 0",
    "EXACT,       true,  0.97, 0",
    "MISSED_SOME, false, 0.97, 0",
    "MISSED_SOME, true,  0.97, 1",
    "OFF,         false, 0.97, 1",
    "OFF,         true,  0.97, 1",
    "EXACT,       true,  0.98, 3",
    "MISSED_SOME, false, 0.98, 3",
    "MISSED_SOME, true,  0.98, 1",
    "OFF,         false, 0.98, 1"
  })
  void exitCode(Ledger ledger, boolean everySampleRequired, double target, int exitCode) {
    RunVerdict verdict =
        verdict(end(ledger, 0.97, List.of()), target, GUESSING, everySampleRequired);

    assertThat(verdict.exitCode()).isEqualTo(exitCode);
    assertThat(verdict.complaints().contains(OFF)).isEqualTo(exitCode == ExitCodes.FAILED);
    assertThat(verdict.complaints().contains(MISSED)).isEqualTo(target == 0.98);
  }

  @Test
  void resultsThatAreNotWrittenFailTheRun() {
    String trouble = "m.zip cannot be written: No space left on device";
    RunVerdict verdict = verdict(end(Ledger.EXACT, 0.97, List.of(trouble)), 0.97, GUESSING, false);

    assertThat(verdict).isEqualTo(new RunVerdict(ExitCodes.FAILED, List.of(trouble)));
  }

  @Test
  void aModelThatIsLittleWorseThanTheBestIsWell() {
    assertThat(verdict(end(Ledger.EXACT, 0.97, List.of()), 0.97, GUESSING, false).complaints())
        .isEmpty();
  }

  @Test
  void aModelThatIsMuchWorseThanTheBestWarns() {
    assertThat(verdict(end(Ledger.EXACT, 0.95, List.of()), 0.97, GUESSING, false))
        .isEqualTo(
            new RunVerdict(
                ExitCodes.OK,
                List.of(
                    "warning: the saved model has 95.00 %, after epoch 9 it was 98.00 %:"
                        + " use out/best.zip")));
  }

  @Test
  void aLossFarAboveThatOfGuessingWarns() {
    assertThat(verdict(end(Ledger.EXACT, 0.97, List.of()), 0.97, 0.4, false))
        .isEqualTo(
            new RunVerdict(
                ExitCodes.OK,
                List.of(
                    "warning: the test loss after epoch 2 is 1.000, above the loss of guessing,"
                        + " 0.40: the learning rate may be too high")));
  }

  /** Neither uncompressed gradients nor those sent in part cause a warning. */
  @ParameterizedTest
  @CsvSource({"NaN, false", "0, true", "0.0001, false", "1, false"})
  void gradientsOfWhichNothingIsSentWarn(double density, boolean warns) {
    WorkerMeans worker =
        new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, density, 0.5, 3, 900, 10);
    Evaluation last =
        Evaluation.of(
            2,
            10,
            new Evaluation.TrainFigures(1, 100, 5, 0),
            Evaluation.TestFigures.ofClasses(1, 0.97, 100, 100),
            5,
            0,
            worker);
    Status end = end(Ledger.EXACT, 0.97, List.of(), List.of(EpochLines.of(1, 0.96), last));
    assertThat(verdict(end, 0.97, GUESSING, false))
        .isEqualTo(
            new RunVerdict(
                ExitCodes.OK,
                warns
                    ? List.of(
                        "warning: no gradients were sent in epoch 2, as no element exceeded the"
                            + " threshold of 0.500: use a smaller threshold, or a share of the"
                            + " elements, such as compress=threshold:1%")
                    : List.of()));
  }

  private static RunVerdict verdict(
      Status end, double target, double guessingLoss, boolean everySampleRequired) {
    return RunVerdict.of(
        end,
        TargetVerdict.of(
            OptionalDouble.of(target), end.evaluations(), end.outcome().orElseThrow().score()),
        new RunGoal(
            OptionalDouble.of(target),
            OptionalDouble.empty(),
            OptionalInt.empty(),
            10,
            new RunGoal.Required(everySampleRequired, false),
            guessingLoss,
            false));
  }

  /**
   * Returns the end of a run whose best model has 98 %, in an epoch that the status no longer
   * contains.
   */
  private static Status end(Ledger ledger, double saved, List<String> troubles) {
    return end(ledger, saved, troubles, List.of(EpochLines.of(1, 0.96), EpochLines.of(2, 0.97)));
  }

  private static Status end(
      Ledger ledger, double saved, List<String> troubles, List<Evaluation> evaluations) {
    Outcome outcome =
        new Outcome(
            "ab12",
            4,
            List.of(),
            4,
            0,
            Optional.of(List.of()),
            0,
            1500,
            10,
            saved,
            Optional.of(
                new BestModel(
                    9,
                    new TestScore.Accuracy(0.98),
                    Path.of("out/best.zip").toAbsolutePath().toString())),
            "as it is",
            ledger == Ledger.EXACT,
            ledger == Ledger.MISSED_SOME ? 70 : 0,
            ledger != Ledger.OFF,
            "m.zip",
            "h.jsonl",
            Optional.empty(),
            Double.NaN,
            Double.NaN,
            Optional.empty());
    return Statuses.begun()
        .epoch(10)
        .round(1500, 600_000)
        .seconds(25)
        .epochsDone(10)
        .speed(0.1, 12_345)
        .bytes(2_000_000)
        .evaluations(evaluations)
        .troubles(troubles)
        .outcome(Optional.of(outcome))
        .status();
  }
}
