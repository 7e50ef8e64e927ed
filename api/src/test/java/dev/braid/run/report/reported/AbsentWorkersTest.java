package dev.braid.run.report.reported;

import static dev.braid.run.report.reported.Told.part;
import static dev.braid.run.report.reported.Told.progress;
import static dev.braid.run.report.reported.Told.share;
import static dev.braid.run.report.reported.Told.sums;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.learner.Learner.Score;
import dev.braid.learner.ValueErrors;
import dev.braid.run.result.Evaluation;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.Reports.Finished;
import dev.braid.worker.report.TestShare;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the evaluation of epochs while workers are away, excluded or slow. */
class AbsentWorkersTest {

  /**
   * The absent worker's part of the test set is added, too: it is of the same model, and the
   * figures are then of the whole set.
   */
  @Test
  void anEpochIsEvaluatedWithoutAWorkerWhoIsAway_andWhatItHasIsAddedLater() {
    ReportedRun run = new ReportedRun(4);
    long away = 1 + Absences.SILENT_NANOS;
    run.add(progress(3, 0, 2, 5, 1, 70), 1);
    for (int rank = 0; rank < 3; rank++) {
      run.add(progress(rank, 0, 5, 10, 1, 100, 3), away);
      run.add(part(rank, 4, 6), 8);
    }
    assertThat(run.evaluateWithoutAbsent(away, 9)).isTrue();
    assertThat(run.evaluateWithoutAbsent(away, 10)).isFalse();
    assertThat(run.evaluations())
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.scoreInWords()).isEqualTo("80.00 % of 30 samples");
              assertThat(line.samples()).isEqualTo(30);
              assertThat(line.seconds()).isEqualTo(9);
              assertThat(line.bytes()).isEqualTo(370);
            });

    Evaluated late =
        new Evaluated(3, 4, 0, 5, sums(new Score(10, 4, 7), 10, 6, 0), new TestShare(3, 4), 40);
    assertThat(run.add(late, 20)).isPresent();
    assertThat(run.evaluations())
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.samples()).isEqualTo(40);
              assertThat(line.testSamples()).isEqualTo(40);
              assertThat(line.testsOnlyPart()).isFalse();
              assertThat(line.testAccuracy()).isEqualTo(0.7);
              assertThat(line.testLoss()).isEqualTo(0.4);
              assertThat(line.seconds()).as("when all of it was known").isEqualTo(20);
            });
    assertThat(run.openParts()).isEmpty();
  }

  @Test
  void eachEpochIsEvaluatedOnce_evenIfItsEvaluationIsNotKept() {
    ReportedRun run = new ReportedRun(4, Optional.empty(), 1, false);
    long away = 1 + Absences.SILENT_NANOS;
    run.add(progress(3, 0, 2, 5, 1, 70), 1);
    for (int epoch = 0; epoch < 3; epoch++) {
      for (int rank = 0; rank < 3; rank++) {
        run.add(progress(rank, epoch, 5L * (epoch + 1), 10, 1, 100, 3), away);
        Score test = new Score(10, 8, 3);
        TestShare share = new TestShare(rank, 4);
        run.add(new Evaluated(rank, 4, epoch, 5, sums(test, 10, 6, 0), share, 40), 8);
      }
      assertThat(run.evaluateWithoutAbsent(away, 9)).as("epoch %d", epoch).isTrue();
      assertThat(run.evaluateWithoutAbsent(away, 10)).as("epoch %d", epoch).isFalse();
    }
    assertThat(run.evaluations())
        .singleElement()
        .satisfies(line -> assertThat(line.epoch()).isEqualTo(3));
  }

  /** A worker with only one cut link, or a slow one, has a part of the test set. */
  @Test
  void aWorkerWhoIsOnlySilentOrOnlyMissed_isWaitedFor() {
    ReportedRun silent = new ReportedRun(2);
    silent.add(progress(1, 0, 2, 5, 1, 0), 1);
    silent.add(progress(0, 0, 5, 10, 1, 0), 2 * Absences.SILENT_NANOS);
    silent.add(part(0, 2, 6), 8);
    assertThat(silent.evaluateWithoutAbsent(2 * Absences.SILENT_NANOS, 9)).isFalse();

    ReportedRun missed = new ReportedRun(2);
    missed.add(progress(1, 0, 2, 5, 1, 0), 1);
    missed.add(progress(0, 0, 5, 10, 1, 0, 1), 2);
    missed.add(part(0, 2, 6), 8);
    assertThat(missed.evaluateWithoutAbsent(Absences.SILENT_NANOS, 9)).isFalse();
    assertThat(missed.evaluateWithoutAbsent(1 + Absences.SILENT_NANOS, 9)).isTrue();
  }

  /** This also applies to the last epoch, after which no worker has a round to report. */
  @Test
  void whoHasNoRoundToDoSaysWhoIsAway_howeverLongAgoTheLastRoundWas() {
    ReportedRun run = new ReportedRun(4);
    run.add(progress(3, 0, 2, 5, 1, 70), 1);
    for (int rank = 0; rank < 3; rank++) {
      run.add(progress(rank, 0, 5, 10, 1, 100), 2);
      run.add(part(rank, 4, 6), 8);
    }
    long later = 10 * Absences.SILENT_NANOS;
    assertThat(run.evaluateWithoutAbsent(later, 9)).isFalse();
    // It can report, but completes no round.
    run.add(progress(3, 0, 2, 0, 0, 70), later);
    for (int rank = 0; rank < 3; rank++) {
      run.add(progress(rank, 0, 5, 0, 0, 100, 3), later);
    }
    assertThat(run.evaluateWithoutAbsent(later, 10)).isTrue();
    assertThat(run.evaluations()).singleElement().matches(Evaluation::testsOnlyPart);
  }

  @Test
  void theErrorsOfAWorkerWhoWasAwayAreAddedLater() {
    ValueErrors[] errors = {
      new ValueErrors(2, new double[] {1}, new double[] {1}, new double[] {2}, new double[] {2}),
      new ValueErrors(2, new double[] {10}, new double[] {4}, new double[] {7}, new double[] {8})
    };
    ReportedRun run = new ReportedRun(2);
    run.add(progress(1, 0, 2, 5, 1, 70), 1);
    run.add(progress(0, 0, 5, 10, 1, 0, 1), 2);
    run.add(values(0, errors[0]), 8);
    assertThat(run.evaluateWithoutAbsent(1 + Absences.SILENT_NANOS, 9)).isTrue();
    run.add(values(1, errors[1]), 20);

    ValueErrors all = errors[0].plus(errors[1]);
    Evaluation line = run.evaluations().get(0);
    assertThat(line.testR2()).isEqualTo(all.r2());
    assertThat(line.testMeanSquaredError()).isEqualTo(all.meanSquared());
    assertThat(line.testMeanAbsoluteError()).isEqualTo(all.meanAbsolute());
    assertThat(line.testAccuracy()).isNaN();
  }

  /** Only one link is cut: two others reach the worker, which takes long over its part. */
  @Test
  void aWorkerWhomSomeReachIsWaitedFor() {
    ReportedRun run = new ReportedRun(4);
    long now = 1 + Absences.SILENT_NANOS;
    run.add(progress(3, 0, 2, 5, 1, 0), 1);
    run.add(progress(0, 0, 5, 10, 1, 0), now);
    run.add(progress(1, 0, 5, 10, 1, 0, 3), now);
    run.add(progress(2, 0, 5, 10, 1, 0), now);
    for (int rank = 0; rank < 3; rank++) {
      run.add(part(rank, 4, 6), 8);
    }
    assertThat(run.evaluateWithoutAbsent(now, 9)).isFalse();
  }

  /** Workers have links only to their servers. */
  @Test
  void whoIsAwayTheServersSay_whereWorkersHaveNoLinksToOneAnother() {
    ReportedRun run = new ReportedRun(4);
    long now = 1 + Absences.SILENT_NANOS;
    run.add(progress(3, 0, 2, 5, 1, 0), 1);
    for (int rank = 0; rank < 3; rank++) {
      run.add(progress(rank, 0, 5, 10, 1, 0), now);
      run.add(part(rank, 4, 6), 8);
    }
    run.add(progress(4, 0, 0, 0, 0, 100), now);
    assertThat(run.evaluateWithoutAbsent(now, 9)).isFalse();
    run.add(progress(4, 0, 0, 0, 0, 100, 3), now);
    run.add(progress(5, 0, 0, 0, 0, 100), now);
    assertThat(run.evaluateWithoutAbsent(now, 9)).as("one server of two").isFalse();
    run.add(progress(5, 0, 0, 0, 0, 100, 3), now);
    assertThat(run.evaluateWithoutAbsent(now, 9)).isTrue();
  }

  /** A worker that is done does not report that another has rejoined. */
  @Test
  void whomAWorkerMissedThatIsDone_isNotAwayForThat() {
    ReportedRun run = new ReportedRun(4);
    long now = 1 + Absences.SILENT_NANOS;
    run.add(progress(3, 0, 2, 5, 1, 0), 1);
    run.add(progress(1, 0, 5, 10, 1, 0, 3), now);
    for (int rank = 0; rank < 3; rank++) {
      run.add(part(rank, 4, 6), 8);
    }
    run.add(new Finished(1, 4, 15, false, Score.NONE, Score.NONE, new byte[] {1}, new float[] {1}));
    assertThat(run.evaluateWithoutAbsent(now, 9)).isFalse();
  }

  /** The epoch would have accuracy 0, which is better than any negated loss. */
  @Test
  void anEpochOfNoTestSamplesIsNotEvaluatedWithoutAWorkerWhoIsAway() {
    ReportedRun run = new ReportedRun(4);
    long now = 1 + Absences.SILENT_NANOS;
    run.add(progress(3, 0, 2, 5, 1, 0), 1);
    for (int rank = 0; rank < 3; rank++) {
      run.add(progress(rank, 0, 5, 10, 1, 0, 3), now);
      TestShare share = new TestShare(rank, rank < 2 ? 4 : 0);
      run.add(new Evaluated(rank, 4, 0, 5, sums(Score.NONE, 10, 1, 0), share, 40), 8);
    }
    assertThat(run.evaluateWithoutAbsent(now, 9)).isFalse();
    assertThat(run.evaluations()).isEmpty();
  }

  private static Evaluated values(int rank, ValueErrors errors) {
    Score test = new Score(errors.samples(), 0, 3, errors);
    return new Evaluated(rank, 2, 0, 5, sums(test, 10, 1, 0), new TestShare(rank, 2), 4);
  }

  @Test
  void aMinoritySpeaksForNobody() {
    ReportedRun run = new ReportedRun(2);
    run.add(progress(0, 0, 2, 5, 1, 0), 1);
    run.add(progress(1, 0, 5, 10, 1, 0, 0), 1);
    run.add(part(1, 2, 6), 8);
    assertThat(run.evaluateWithoutAbsent(1 + Absences.SILENT_NANOS, 9)).isFalse();
  }

  /** The other workers share the test set again, and the rest of the epoch is dealt to them. */
  @Test
  void samplesOfAWorkerWhoWasAwayAreAddedByOthers() {
    ReportedRun run = new ReportedRun(2);
    run.add(progress(0, 0, 5, 10, 1, 0, 1), 2);
    run.add(part(0, 2, 6), 8);
    assertThat(run.evaluateWithoutAbsent(1 + Absences.SILENT_NANOS, 9)).isTrue();

    ReportedRun after = new ReportedRun(3);
    after.restore(run.evaluations(), run.openParts());
    for (int rank = 0; rank < 3; rank++) {
      after.add(part(rank, 3, 6), 20);
    }
    assertThat(after.evaluations())
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.samples()).isEqualTo(40);
              assertThat(line.testSamples()).isEqualTo(30);
            });
  }

  /**
   * Worker 2 is unreachable: the two others evaluate everything, and need not wait for its report.
   */
  @Test
  void thoseThatAreThereEvaluateAnEpoch_andWhoIsBackAddsWhatItDid() {
    ReportedRun run = new ReportedRun(3);
    run.add(progress(2, 0, 0, 0, 0, 40), 1);
    assertThat(run.add(share(0, 3, 0, 2), 1)).isEmpty();
    Evaluation evaluation = run.add(share(1, 3, 1, 2), 2).orElseThrow();
    assertThat(evaluation.testSamples()).isEqualTo(20);
    assertThat(evaluation.testsOnlyPart()).isFalse();
    assertThat(evaluation.samples()).isEqualTo(20);
    assertThat(evaluation.bytes()).isEqualTo(240);

    ReportedRun after = new ReportedRun(3);
    after.restore(run.evaluations(), run.openParts());
    Evaluated late = new Evaluated(2, 3, 0, 5, sums(Score.NONE, 4, 2, 6), TestShare.NONE, 20);
    Evaluation amended = after.add(late, 9).orElseThrow();
    assertThat(amended.samples()).isEqualTo(24);
    assertThat(amended.missedSamples()).isEqualTo(6);
    assertThat(amended.seconds()).isEqualTo(2);
    assertThat(amended.testAccuracy()).isEqualTo(evaluation.testAccuracy());
    assertThat(after.evaluations()).containsExactly(amended);
    assertThat(after.openParts()).isEmpty();
    assertThat(after.add(late, 10)).isEmpty();
  }

  @Test
  void anEpochOfWhichAPartIsMissingSaysSo() {
    ReportedRun run = new ReportedRun(3);
    run.add(share(0, 3, 0, 3), 1);
    run.add(share(1, 3, 1, 3), 1);
    Evaluated absent = new Evaluated(2, 3, 0, 5, sums(Score.NONE, 0, 0, 6), TestShare.NONE, 20);
    Evaluation evaluation = run.add(absent, 1).orElseThrow();
    assertThat(evaluation.testSamples()).isEqualTo(20);
    assertThat(evaluation.testSetSamples()).isEqualTo(30);
    assertThat(evaluation.testsOnlyPart()).isTrue();
    assertThat(evaluation.testAccuracy()).isEqualTo(0.8);
  }
}
