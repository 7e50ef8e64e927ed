package dev.braid.job.report;

import static dev.braid.job.report.Told.ROUNDS;
import static dev.braid.job.report.Told.emptyPart;
import static dev.braid.job.report.Told.part;
import static dev.braid.job.report.Told.progress;
import static dev.braid.job.report.Told.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Measured.Awaited;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.result.Evaluation;
import dev.braid.job.result.Outcome;
import dev.braid.job.result.Status;
import dev.braid.job.result.WorkerMeans;
import dev.braid.learner.Learner.Score;
import dev.braid.learner.math.MathKernels;
import dev.braid.ledger.LedgerSummary;
import dev.braid.worker.report.Reports.Began;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.Reports.Finished;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportedRunTest {

  private static final ReportConfig CONFIG = config(true);

  /** Of replicas that need not be identical. */
  private static final ReportConfig CONFIG_OF_OWN_PACE = config(false);

  private record Nothing() implements ModelFormat {
    @Override
    public String nativeLibrary() {
      return "none";
    }

    @Override
    public void write(float[] weights, float[][] updaterState, long steps, OutputStream out)
        throws IOException {}
  }

  private static ReportConfig config(boolean identical) {
    return new ReportConfig(
        "{}",
        "/tmp/out/",
        "{}",
        1000,
        3,
        Double.NaN,
        0,
        false,
        identical,
        false,
        new Nothing(),
        new RunExchange(ExchangeType.RING, ExchangeOptions.defaults(1), 1),
        new float[0][]);
  }

  @Test
  void addsUpAnEpochInRankOrder() {
    ReportedRun run = new ReportedRun(3, 3);
    assertThat(run.add(part(2, 3, 1e-17), 1)).isEmpty();
    assertThat(run.add(part(0, 3, 1.0), 1)).isEmpty();
    Evaluation evaluation = run.add(part(1, 3, -1.0), 2.5).orElseThrow();
    assertThat(evaluation.trainLoss()).isEqualTo((1.0 - 1.0 + 1e-17) / 30);
    assertThat(evaluation.testAccuracy()).isEqualTo(0.8);
    assertThat(evaluation.epoch()).isEqualTo(1);
    assertThat(evaluation.bytes()).isEqualTo(300);
    assertThat(evaluation.seconds()).isEqualTo(2.5);
    assertThat(evaluation.worker()).isEqualTo(new WorkerMeans(3, 1.5, 0.6, 2.5, 4, 7, 2.5e6, 3));
  }

  @Test
  void whatServersHaveSentIsPartOfTheEpochsBytes() {
    ReportedRun run = new ReportedRun(2, 3);
    run.add(progress(2, 0, 0, 0, 0, 5_000), 1);
    run.add(part(0, 2, 1), 1);
    assertThat(run.add(part(1, 2, 1), 1)).map(Evaluation::bytes).hasValue(5_200L);
  }

  @Test
  void keepsWhatItHadAcrossAFailure() {
    ReportedRun before = new ReportedRun(2, 3);
    before.add(part(0, 2, 1), 1);
    ReportedRun after = new ReportedRun(2, 3);
    after.restore(before.evaluations(), before.openParts());
    assertThat(after.add(part(1, 2, 1), 2)).isPresent();
    assertThat(after.status(List.of(), 0, 0).lastEvaluation()).map(Evaluation::epoch).hasValue(1);
  }

  /** A training loss counts from the first step on, which says little of where it has got. */
  @Test
  void warnsOfATestLossFarAboveThatOfGuessing() {
    for (double guessing : new double[] {0.1, 0.2}) {
      ReportedRun run = new ReportedRun(2, 3, guessing, 20, Optional.empty());
      run.add(part(0, 2, 1000), 1);
      run.add(part(1, 2, 1000), 1);
      List<String> warnings =
          run.status(List.of(), 1, 0).notes().stream()
              .filter(note -> note.startsWith("warning: the test loss after epoch 1 is 0.3000"))
              .toList();
      assertThat(warnings).hasSize(guessing == 0.1 ? 1 : 0);
    }
  }

  @Test
  void tellsHowMuchIsDone_andHowLongTheRestTakes() {
    ReportedRun run = new ReportedRun(2, 4, Double.NaN, 20, Optional.empty());
    assertThat(run.status(List.of(), 0, 0).secondsLeft()).isEmpty();
    long second = 1_000_000_000L;
    for (int rank = 0; rank < 2; rank++) {
      run.add(progress(rank, 0, 0, 0, 0, 0), 0);
      run.add(progress(rank, 0, 1, 5, 1, 0), second);
    }
    assertThat(run.status(List.of(), 0, 0).epochsDone()).isEqualTo(0.5);
    assertThat(run.status(List.of(), 0, 0).secondsLeft()).hasValue(3.5 * 2);

    // All of the first epoch's samples are in its report.
    run.add(part(0, 2, 1), 10);
    run.add(part(1, 2, 1), 10);
    assertThat(run.status(List.of(), 0, 0).epochsDone()).isEqualTo(1);
    assertThat(run.status(List.of(), 0, 0).secondsLeft()).hasValue(3 * 2);
  }

  @Test
  void aStallIsNotMadeAnEstimateOf() {
    ReportedRun run = new ReportedRun(1, 4, Double.NaN, 1000, Optional.empty());
    long second = 1_000_000_000L;
    for (int i = 0; i <= 20; i++) {
      run.add(progress(0, 0, i, i == 0 ? 0 : 25, 1, 0), i * second / 4);
    }
    assertThat(run.status(List.of(), 5, 5 * second).secondsLeft()).hasValue(35);
    assertThat(run.status(List.of(), 8, 8 * second).secondsLeft()).isEmpty();
    run.add(progress(0, 0, 21, 25, 1, 0), 65 * second);
    assertThat(run.status(List.of(), 65, 65 * second).secondsLeft()).hasValue(34.75);
  }

  /** What it would have trained on is missed. */
  @Test
  void aWorkerThatIsLeftOutHasNothingLeft() {
    ReportedRun run = new ReportedRun(2, 4, Double.NaN, 1000, Optional.empty());
    long second = 1_000_000_000L;
    for (int i = 0; i <= 2; i++) {
      run.add(progress(0, 0, i, 0, 0, 0), 0);
      run.add(progress(1, 0, i, i == 0 ? 0 : 50, 1, 0), i * second);
    }
    run.add(waiting(0, 0, true), 2 * second);
    assertThat(run.status(List.of(), 2, 2 * second).secondsLeft()).hasValue(3900 / 2 / 50.0);
  }

  /** A line for each time; none of one that is away itself, nor when it is over. */
  @Test
  void whomAllWaitForIsTold() {
    ReportedRun run = new ReportedRun(2, 4, Double.NaN, 1000, Optional.empty());
    run.add(waiting(0, 1233, false), 0);
    run.add(waiting(3, 1000, true, new Awaited(1, 1)), 0);
    assertThat(run.status(List.of(), 2, 0).notes()).isEmpty();
    run.add(waiting(0, 1233, false, new Awaited(5, 5)), 0);
    assertThat(run.status(List.of(), 2, 0).notes())
        .containsExactly(
            "after round 1,233 all wait for worker 5: nobody else has its part of the optimiser's state");
    run.add(waiting(0, 1233, false, new Awaited(5, 15)), 0);
    assertThat(run.status(List.of(), 2, 0).notes())
        .containsExactly(
            "after round 1,233 all wait for worker 5 or worker 15: nobody else has their part of the optimiser's state");
    run.add(waiting(2, 1233, false, new Awaited(5, 15), new Awaited(6, 12), new Awaited(5, 6)), 0);
    assertThat(run.status(List.of(), 2, 0).notes())
        .containsExactly(
            "after round 1,233 all wait for worker 5 or worker 6, worker 5 or worker 15, and worker 6 or worker 12: nobody else has their parts of the optimiser's state");
    run.add(waiting(0, 1234, false), 0);
    run.add(waiting(2, 1234, false), 0);
    assertThat(run.status(List.of(), 2, 0).notes()).isEmpty();
  }

  @Test
  void ofEvaluationsBetweenEpochsTheShortestCounts() {
    ReportedRun run = new ReportedRun(1, 10, Double.NaN, 10, Optional.empty());
    long second = 1_000_000_000L;
    int[] ends = {5, 8, 50, 54};
    for (int epoch = 0; epoch < ends.length; epoch++) {
      run.add(progress(0, epoch, epoch, 10, 1, 0), epoch * second);
      run.add(
          new Evaluated(0, 1, epoch, 5, new Score(10, 8, 3), 10, 6, 7, 100, ROUNDS, 0, 1, 10, 0),
          ends[epoch]);
    }
    assertThat(run.status(List.of(), 54, 3 * second).secondsLeft()).hasValue(6 * 3);
  }

  @Test
  void knowsHowMuchIsDone_alsoWhenItGoesOnInTheMiddleOfAnEpoch() {
    ReportedRun before = new ReportedRun(2, 4, Double.NaN, 20, Optional.empty());
    before.add(progress(0, 0, 1, 9, 1, 0), 1);
    before.add(progress(1, 0, 1, 6, 1, 0), 1);
    ReportedRun after = new ReportedRun(2, 4, Double.NaN, 20, Optional.empty());
    after.restore(before.evaluations(), before.openParts());
    after.restoreSamples(before.samples());
    assertThat(after.status(List.of(), 0, 0).epochsDone()).isEqualTo(0.75);
    after.add(progress(0, 0, 2, 1, 1, 0), 1);
    after.add(progress(1, 0, 2, 4, 1, 0), 1);
    after.add(part(0, 2, 1), 10);
    after.add(part(1, 2, 1), 10);
    after.add(progress(0, 1, 3, 5, 1, 0), 1);
    assertThat(after.status(List.of(), 0, 0).epochsDone()).isEqualTo(1.25);
  }

  /** As a worker does that was restored from before the end of its epoch was noted. */
  @Test
  void aReportThatComesAgain_countsOnce() {
    ReportedRun run = new ReportedRun(2, 3);
    run.add(part(0, 2, 1), 1);
    run.add(emptyPart(0, 2), 1);
    Evaluation evaluation = run.add(part(1, 2, 1), 1).orElseThrow();
    assertThat(evaluation.samples()).isEqualTo(20);
    assertThat(run.add(emptyPart(0, 2), 2)).isEmpty();
    assertThat(run.add(emptyPart(1, 2), 2)).isEmpty();
    assertThat(run.evaluations()).containsExactly(evaluation);
    assertThat(run.openParts()).isEmpty();
  }

  /** Of 2 workers one has reported when 3 go on; at the end rank 0 has what the other had. */
  @Test
  void anEpochThatOtherWorkersHaveBegun_hasAllTheirSamplesAndEachTestOnce() {
    ReportedRun before = new ReportedRun(2, 3);
    before.add(part(1, 2, 1), 1);
    ReportedRun between = new ReportedRun(3, 3);
    between.restore(before.evaluations(), before.openParts());
    between.add(began(0, 3));
    ReportedRun after = new ReportedRun(2, 3);
    after.restore(between.evaluations(), between.openParts());

    assertThat(after.add(part(0, 2, 1), 1)).isEmpty();
    Evaluation evaluation = after.add(emptyPart(1, 2), 1).orElseThrow();
    assertThat(evaluation.samples()).isEqualTo(20);
    assertThat(evaluation.testAccuracy()).isEqualTo(0.8);
    assertThat(evaluation.bytes()).isEqualTo(200);
  }

  @Test
  void closesWhenAllReplicasAgree() {
    ReportedRun run = new ReportedRun(2, 3);
    run.add(
        new Finished(
            0, 2, 15, false, Score.NONE, Score.NONE, new byte[] {1, (byte) 0xab}, new float[] {1}));
    run.add(
        new Finished(
            1, 2, 15, false, Score.NONE, Score.NONE, new byte[] {1, (byte) 0xab}, new float[] {1}));
    run.add(new LedgerSummary(0, 1, new long[] {1000}, new long[] {0}));
    run.add(part(0, 2, 1), 1);
    run.add(part(1, 2, 1), 1);
    Outcome outcome = run.conclude(CONFIG);
    assertThat(outcome.digest()).isEqualTo("01ab");
    assertThat(outcome.ledgerExact()).isTrue();
    assertThat(outcome.replicaAccuracies()).hasValue(List.of());
    assertThat(outcome.accuracyVariancePp2()).isZero();
    assertThat(outcome.model()).isEqualTo("/tmp/out/model.zip");
    assertThat(Status.parse(run.status(List.of(), 0, 0).toJson()))
        .isEqualTo(run.status(List.of(), 0, 0));
  }

  @Test
  void aReportOfNoRoundChangesNeitherRateNorLoss() {
    ReportedRun run = new ReportedRun(1, 3);
    long second = 1_000_000_000L;
    run.add(progress(0, 0, 1, 10, 5, 0), second);
    run.add(progress(0, 0, 2, 10, 5, 0), 2 * second);
    for (int i = 0; i < 20; i++) {
      run.add(progress(0, 0, 2, 0, 0, 0), (3 + i) * second);
    }
    Status status = run.status(List.of(), 30, 3 * second);
    assertThat(status.loss()).isEqualTo(0.5);
    assertThat(status.samplesPerSecond()).isEqualTo(10);
  }

  @Test
  void failsWhenReplicasDifferOrAreMissing() {
    ReportedRun run = new ReportedRun(2, 3);
    run.add(new Finished(0, 2, 15, false, Score.NONE, Score.NONE, new byte[] {1}, new float[] {1}));
    assertThatThrownBy(() -> run.conclude(CONFIG))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("1 of 2 workers said that they were done");
    run.add(new Finished(1, 2, 15, false, Score.NONE, Score.NONE, new byte[] {2}, new float[] {1}));
    assertThatThrownBy(() -> run.conclude(CONFIG))
        .isInstanceOf(ReplicasDifferException.class)
        .hasMessageContaining("worker 1 has weights of digest 02, others 01");
  }

  /** Built for four, and given two slots: all that there are have reported. */
  @Test
  void countsTheWorkersThatThereAre_notThoseThatWereAskedFor() {
    ReportedRun run = new ReportedRun(4, 3);
    run.add(progress(2, 0, 0, 0, 0, 5_000), 1);
    run.add(part(0, 2, 1), 1);
    assertThat(run.add(part(1, 2, 1), 1)).map(Evaluation::bytes).hasValue(5_200L);
    assertThat(run.workers()).isEqualTo(2);
    for (int rank = 0; rank < 2; rank++) {
      run.add(
          new Finished(
              rank, 2, 15, false, Score.NONE, Score.NONE, new byte[] {1}, new float[] {1}));
      run.add(new LedgerSummary(rank, 2, new long[] {500}, new long[] {0}));
    }
    Outcome outcome = run.conclude(CONFIG);
    assertThat(outcome.ranks()).isEqualTo(2);
    assertThat(outcome.ledgerExact()).isTrue();
  }

  @Test
  void tellsHowManyWorkersTrain_onceAllOfThemHaveBegun() {
    ReportedRun run = new ReportedRun(4, 3);
    assertThat(workersIn(run)).isZero();
    run.add(began(0, 2));
    assertThat(workersIn(run)).isZero();
    run.add(began(1, 2));
    assertThat(workersIn(run)).isEqualTo(2);
    assertThat(run.status(List.of(), 1, 1).workersAsked()).isEqualTo(4);
    run.add(began(3, 4));
    assertThat(workersIn(run)).isZero();
  }

  private static Began began(int rank, int workers) {
    return new Began(rank, workers, "a host", 100, new MathKernels("BLAS 1", "HASWELL", 0xaa));
  }

  private static int workersIn(ReportedRun run) {
    return run.status(List.of(), 1, 1).workers();
  }

  @Test
  void moreWorkersThanWereAskedForAreWaitedFor() {
    ReportedRun run = new ReportedRun(1, 3);
    assertThat(run.add(part(0, 2, 1), 1)).isEmpty();
    assertThat(run.add(part(1, 2, 1), 1)).isPresent();
    run.add(new Finished(0, 2, 15, false, Score.NONE, Score.NONE, new byte[] {1}, new float[] {1}));
    assertThatThrownBy(() -> run.conclude(CONFIG))
        .hasMessage("1 of 2 workers said that they were done");
  }

  /** Four began to say that they were done, failed, and came back as two. */
  @Test
  void whatAnEarlierNumberOfWorkersSaidAtItsEndDoesNotCount() {
    ReportedRun run = new ReportedRun(4, 3);
    for (int rank = 0; rank < 4; rank++) {
      run.add(
          new Finished(
              rank, 4, 14, false, Score.NONE, Score.NONE, new byte[] {9}, new float[] {1}));
      run.add(new LedgerSummary(rank, 4, new long[] {250}, new long[] {0}));
    }
    for (int rank = 0; rank < 2; rank++) {
      run.add(
          new Finished(
              rank, 2, 15, false, Score.NONE, Score.NONE, new byte[] {1}, new float[] {1}));
      run.add(new LedgerSummary(rank, 2, new long[] {500}, new long[] {0}));
      run.add(part(rank, 2, 1), 1);
    }
    Outcome outcome = run.conclude(CONFIG);
    assertThat(outcome.ranks()).isEqualTo(2);
    assertThat(outcome.digest()).isEqualTo("01");
    assertThat(outcome.ledgerExact()).isTrue();
  }

  @Test
  void saysHowFarApartReplicasAreThatNeedNotBeIdentical() {
    ReportedRun run = new ReportedRun(2, 3);
    run.add(
        new Finished(0, 2, 15, false, Score.NONE, Score.NONE, new byte[] {1}, new float[] {3, 4}));
    run.add(
        new Finished(1, 2, 15, false, Score.NONE, Score.NONE, new byte[] {2}, new float[] {3, 6}));
    Outcome outcome = run.conclude(CONFIG_OF_OWN_PACE);
    assertThat(outcome.digest()).isEqualTo("01");
    assertThat(outcome.identical()).isEqualTo(1);
    // Distances 0 and 0, 1 and 1; weights 3, 4, 3 and 6.
    assertThat(outcome.distance()).isEqualTo(Math.sqrt(2.0 / 70));
  }

  /** 95, 96 and 97 %: squared distances of 1, 0 and 1; one that is cut off does not count. */
  @Test
  void saysHowFarApartTheAccuraciesOfReplicasAre() {
    ReportedRun run = new ReportedRun(4, 3);
    run.add(
        new Finished(
            2, 4, 15, false, new Score(200, 194, 0), Score.NONE, new byte[] {1}, new float[] {1}));
    run.add(
        new Finished(
            0, 4, 15, false, new Score(200, 190, 0), Score.NONE, new byte[] {2}, new float[] {1}));
    run.add(
        new Finished(
            1, 4, 15, false, new Score(200, 192, 0), Score.NONE, new byte[] {3}, new float[] {1}));
    run.add(
        new Finished(
            3, 4, 15, true, new Score(200, 20, 0), Score.NONE, new byte[] {4}, new float[] {1}));
    Outcome outcome = run.conclude(CONFIG_OF_OWN_PACE);
    assertThat(outcome.replicaAccuracies()).hasValue(List.of(0.95, 0.96, 0.97));
    assertThat(outcome.accuracyVariancePp2()).isCloseTo(2.0 / 3, within(1e-9));
  }

  @Test
  void statusAddsUpRanks() {
    ReportedRun run = new ReportedRun(2, 3);
    run.add(progress(0, 1, 19, 100, 50, 500), 0);
    run.add(progress(1, 1, 20, 100, 150, 1500), 0);
    run.add(progress(0, 1, 20, 100, 50, 1000), 1_000_000_000L);
    run.add(progress(1, 1, 21, 100, 150, 2000), 1_000_000_000L);
    Status status = run.status(List.of(), 0, 0);
    assertThat(status.epoch()).isEqualTo(2);
    assertThat(status.round()).isEqualTo(21);
    assertThat(status.samples()).isEqualTo(400);
    assertThat(status.bytes()).isEqualTo(3000);
    assertThat(status.loss()).isEqualTo(1.0);
    assertThat(status.samplesPerSecond()).isEqualTo(200);
  }
}
