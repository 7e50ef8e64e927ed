package dev.braid.run.report.shown;

import static dev.braid.run.report.MeshRuns.onMesh;
import static dev.braid.run.report.reported.Told.TEST;
import static dev.braid.run.report.reported.Told.emptyPart;
import static dev.braid.run.report.reported.Told.part;
import static dev.braid.run.report.reported.Told.progress;
import static dev.braid.run.report.reported.Told.sums;
import static dev.braid.run.report.reported.Told.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Measured.Awaited;
import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.learner.Learner.Score;
import dev.braid.learner.math.MathKernels;
import dev.braid.run.report.RunExchange;
import dev.braid.run.report.reported.ReportedRun;
import dev.braid.run.report.verdict.Conclusion;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.Status;
import dev.braid.topology.Mesh;
import dev.braid.worker.report.Reports.Began;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.Reports.Finished;
import dev.braid.worker.report.Reports.Progress;
import dev.braid.worker.report.TestShare;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests the status of a run, derived from reports. */
class RunStatusTest {

  @Test
  void keepsWhatItHadAcrossAFailure() {
    ReportedRun before = new ReportedRun(2);
    before.add(part(0, 2, 1), 1);
    ReportedRun after = new ReportedRun(2);
    RunStatus shown = shown(after, 3, 1000);
    after.restore(before.evaluations(), before.openParts());
    assertThat(after.add(part(1, 2, 1), 2)).isPresent();
    assertThat(now(shown, 0, 0).lastEvaluation()).map(Evaluation::epoch).hasValue(1);
  }

  /**
   * The training loss counts from the first step on, so it says little about the model at the end.
   */
  @Test
  void warnsOfATestLossFarAboveThatOfGuessing() {
    for (double guessing : new double[] {0.1, 0.2}) {
      ReportedRun run = new ReportedRun(2);
      RunStatus shown =
          new RunStatus(run, 2, 3, guessing, 20, EvaluatedSet.TEST, LeftOutWorkers.Words.NONE);
      run.add(part(0, 2, 1000), 1);
      run.add(part(1, 2, 1000), 1);
      List<String> warnings =
          now(shown, 1, 0).notes().stream()
              .filter(note -> note.startsWith("warning: the test loss after epoch 1 is 0.3000"))
              .toList();
      assertThat(warnings).hasSize(guessing == 0.1 ? 1 : 0);
    }
  }

  @Test
  void recordsThatAreNoSamplesAreTold() {
    ReportedRun run = new ReportedRun(1);
    RunStatus shown = shown(run, 3, 1000);
    run.add(progress(0, 0, 1, 5, 1, 0), 0);
    assertThat(now(shown, 0, 0).notes()).isEmpty();
    run.add(
        new Progress(
            0, 0, 2, 5, 1, 1, 0, false, new int[0], Progress.NOBODY, Progress.NO_RECOVERIES),
        0);
    assertThat(now(shown, 0, 0).notes()).hasSize(1);
    run.add(progress(0, 0, 3, 5, 1, 0), 0);
    assertThat(now(shown, 0, 0).notes()).as("still").hasSize(1);
  }

  @Test
  void tellsHowMuchIsDone_andHowLongTheRestTakes() {
    ReportedRun run = new ReportedRun(2);
    RunStatus shown = shown(run, 4, 20);
    assertThat(now(shown, 0, 0).secondsLeft()).isEmpty();
    long second = 1_000_000_000L;
    for (int rank = 0; rank < 2; rank++) {
      run.add(progress(rank, 0, 0, 0, 0, 0), 0);
      run.add(progress(rank, 0, 1, 5, 1, 0), second);
    }
    assertThat(now(shown, 0, 0).epochsDone()).isEqualTo(0.5);
    assertThat(now(shown, 0, 0).secondsLeft()).hasValue(3.5 * 2);

    // The report of the first epoch has all of its samples.
    run.add(part(0, 2, 1), 10);
    run.add(part(1, 2, 1), 10);
    assertThat(now(shown, 0, 0).epochsDone()).isEqualTo(1);
    assertThat(now(shown, 0, 0).secondsLeft()).hasValue(3 * 2);
  }

  @Test
  void aStallIsNotMadeAnEstimateOf() {
    ReportedRun run = new ReportedRun(1);
    RunStatus shown = shown(run, 4, 1000);
    long second = 1_000_000_000L;
    for (int i = 0; i <= 20; i++) {
      run.add(progress(0, 0, i, i == 0 ? 0 : 25, 1, 0), i * second / 4);
    }
    assertThat(now(shown, 5, 5 * second).secondsLeft()).hasValue(35);
    assertThat(now(shown, 8, 8 * second).secondsLeft()).isEmpty();
    run.add(progress(0, 0, 21, 25, 1, 0), 65 * second);
    assertThat(now(shown, 65, 65 * second).secondsLeft()).hasValue(34.75);
  }

  /** The samples that the worker would have trained on are missed. */
  @Test
  void aWorkerThatIsLeftOutHasNothingLeft() {
    ReportedRun run = new ReportedRun(2);
    RunStatus shown = shown(run, 4, 1000);
    long second = 1_000_000_000L;
    for (int i = 0; i <= 2; i++) {
      run.add(progress(0, 0, i, 0, 0, 0), 0);
      run.add(progress(1, 0, i, i == 0 ? 0 : 50, 1, 0), i * second);
    }
    run.add(waiting(0, 0, true), 2 * second);
    assertThat(now(shown, 2, 2 * second).secondsLeft()).hasValue(3900 / 2 / 50.0);
  }

  /**
   * There is a line each time, except for a worker that is away itself, or when the wait is over.
   */
  @Test
  void whomAllWaitForIsTold() {
    ReportedRun run = new ReportedRun(2);
    RunStatus shown = shown(run, 4, 1000);
    run.add(waiting(0, 1233, false), 0);
    run.add(waiting(3, 1000, true, new Awaited(1, 1)), 0);
    assertThat(now(shown, 2, 0).notes()).isEmpty();
    run.add(waiting(0, 1233, false, new Awaited(5, 5)), 0);
    assertThat(now(shown, 2, 0).notes())
        .containsExactly(
            "after round 1,233 all workers wait for worker 5: no other worker has its part of the"
                + " optimiser's state");
    run.add(waiting(0, 1233, false, new Awaited(5, 15)), 0);
    assertThat(now(shown, 2, 0).notes())
        .containsExactly(
            "after round 1,233 all workers wait for worker 5 or worker 15: no other worker has"
                + " their part of the optimiser's state");
    run.add(waiting(2, 1233, false, new Awaited(5, 15), new Awaited(6, 12), new Awaited(5, 6)), 0);
    assertThat(now(shown, 2, 0).notes())
        .containsExactly(
            "after round 1,233 all workers wait for worker 5 or worker 6, worker 5 or worker 15,"
                + " and worker 6 or worker 12: no other worker has their parts of the optimiser's"
                + " state");
    run.add(waiting(0, 1234, false), 0);
    run.add(waiting(2, 1234, false), 0);
    assertThat(now(shown, 2, 0).notes()).isEmpty();
  }

  @Test
  void ofEvaluationsBetweenEpochsTheShortestCounts() {
    ReportedRun run = new ReportedRun(1);
    RunStatus shown = shown(run, 10, 10);
    long second = 1_000_000_000L;
    int[] ends = {5, 8, 50, 54};
    for (int epoch = 0; epoch < ends.length; epoch++) {
      run.add(progress(0, epoch, epoch, 10, 1, 0), epoch * second);
      run.add(
          new Evaluated(0, 1, epoch, 5, sums(TEST, 10, 6, 0), new TestShare(0, 1), 10),
          ends[epoch]);
    }
    assertThat(now(shown, 54, 3 * second).secondsLeft()).hasValue(6 * 3);
  }

  @Test
  void knowsHowMuchIsDone_alsoWhenItGoesOnInTheMiddleOfAnEpoch() {
    ReportedRun before = new ReportedRun(2);
    before.add(progress(0, 0, 1, 9, 1, 0), 1);
    before.add(progress(1, 0, 1, 6, 1, 0), 1);
    ReportedRun after = new ReportedRun(2);
    RunStatus shown = shown(after, 4, 20);
    after.restore(before.evaluations(), before.openParts());
    after.restoreSamples(before.samples());
    assertThat(now(shown, 0, 0).epochsDone()).isEqualTo(0.75);
    after.add(progress(0, 0, 2, 1, 1, 0), 1);
    after.add(progress(1, 0, 2, 4, 1, 0), 1);
    after.add(part(0, 2, 1), 10);
    after.add(part(1, 2, 1), 10);
    after.add(progress(0, 1, 3, 5, 1, 0), 1);
    assertThat(now(shown, 0, 0).epochsDone()).isEqualTo(1.25);
  }

  @Test
  void aReportOfNoRoundChangesNeitherRateNorLoss() {
    ReportedRun run = new ReportedRun(1);
    RunStatus shown = shown(run, 3, 1000);
    long second = 1_000_000_000L;
    run.add(progress(0, 0, 1, 10, 5, 0), second);
    run.add(progress(0, 0, 2, 10, 5, 0), 2 * second);
    for (int i = 0; i < 20; i++) {
      run.add(progress(0, 0, 2, 0, 0, 0), (3 + i) * second);
    }
    Status status = now(shown, 30, 3 * second);
    assertThat(status.loss()).isEqualTo(0.5);
    assertThat(status.samplesPerSecond()).isEqualTo(10);
  }

  @Test
  void tellsHowManyWorkersTrain_onceAllOfThemHaveBegun() {
    ReportedRun run = new ReportedRun(4);
    RunStatus shown = shown(run, 3, 1000);
    assertThat(workersIn(shown)).isZero();
    run.add(began(0, 2));
    assertThat(workersIn(shown)).isZero();
    run.add(began(1, 2));
    assertThat(workersIn(shown)).isEqualTo(2);
    assertThat(now(shown, 1, 1).workersAsked()).isEqualTo(4);
    run.add(began(3, 4));
    assertThat(workersIn(shown)).isZero();
  }

  private static int workersIn(RunStatus shown) {
    return now(shown, 1, 1).workers();
  }

  @Test
  void statusAddsUpRanks() {
    ReportedRun run = new ReportedRun(2);
    RunStatus shown = shown(run, 3, 1000);
    run.add(progress(0, 1, 19, 100, 50, 500), 0);
    run.add(progress(1, 1, 20, 100, 150, 1500), 0);
    run.add(progress(0, 1, 20, 100, 50, 1000), 1_000_000_000L);
    run.add(progress(1, 1, 21, 100, 150, 2000), 1_000_000_000L);
    Status status = now(shown, 0, 0);
    assertThat(status.epoch()).isEqualTo(2);
    assertThat(status.round()).isEqualTo(21);
    assertThat(status.samples()).isEqualTo(400);
    assertThat(status.bytes()).isEqualTo(3000);
    assertThat(status.loss()).isEqualTo(1.0);
    assertThat(status.samplesPerSecond()).isEqualTo(200);
  }

  /** With two workers, no majority can miss one. */
  @Test
  void whenMostHaveDoneAllTheirEpochs_theyWaitForWhoStandsStill() {
    ReportedRun run = new ReportedRun(2);
    RunStatus shown = shown(run, 1, 1000);
    long second = 1_000_000_000L;
    run.add(progress(0, 0, 2, 5, 1, 0), second);
    run.add(progress(1, 0, 5, 10, 1, 0), second);
    assertThat(now(shown, 1, 5 * second).behind()).as("no rank is done").isEmpty();
    run.add(part(1, 2, 6), 8);
    assertThat(now(shown, 1, 2 * second).behind()).as("it may continue").isEmpty();
    assertThat(now(shown, 1, 5 * second).behind()).containsExactly(new Status.Behind(0, 2));
    run.add(progress(0, 0, 3, 5, 1, 0), 6 * second);
    assertThat(now(shown, 1, 6 * second).behind()).as("it continues").isEmpty();
  }

  /** Workers report one after the other that they are excluded; the line names all of them. */
  @Test
  void howOthersAddUpWithoutABlockOfAMesh_isSaidWhenAllAreKnown() {
    RunExchange exchange = onMesh(new Mesh(4, 4), MeshAlgorithm.ROW_PAIRS);
    ReportedRun run = new ReportedRun(16);
    RunStatus shown = shown(run, exchange::without);
    long settled = LeftOutWorkers.SETTLED_NANOS;
    run.add(waiting(2, 5, true), 0);
    assertThat(notes(shown, 0)).isEmpty();
    for (int rank : new int[] {3, 6, 7}) {
      run.add(waiting(rank, 5, true), 1);
    }
    assertThat(notes(shown, settled)).as("three more since").isEmpty();
    assertThat(notes(shown, 2 * settled))
        .containsExactly(
            "the mesh adds up without workers 2, 3, 6 and 7: row-pairs, with forwarding by workers"
                + " 0, 1, 4 and 5");
    run.add(waiting(0, 5, false, new Awaited(2, 2)), 2 * settled);
    assertThat(notes(shown, 2 * settled))
        .as("who waits adds up nothing")
        .singleElement()
        .asString()
        .startsWith("after round 5 all workers wait for worker 2");
    run.add(waiting(0, 9, false), 2 * settled);
    for (int rank : new int[] {2, 3, 6, 7}) {
      run.add(waiting(rank, 9, false), 2 * settled);
    }
    assertThat(notes(shown, 4 * settled)).isEmpty();
  }

  /** Its last progress, from when there were more workers, does not concern the remaining ones. */
  @Test
  void aWorkerThatIsNoneAnyMoreIsNotLeftOut() {
    RunExchange exchange = new RunExchange(ExchangeType.MESH, ExchangeOptions.defaults(4), 1000);
    ReportedRun run = new ReportedRun(4);
    RunStatus shown = shown(run, exchange::without);
    run.add(waiting(1, 5, true), 0);
    run.add(waiting(3, 5, true), 0);
    assertThat(now(shown, 0, 0).leftOut()).containsExactly(1, 3);
    run.add(emptyPart(0, 3), 1);
    assertThat(now(shown, 0, 0).leftOut()).containsExactly(1);
    assertThat(notes(shown, LeftOutWorkers.SETTLED_NANOS))
        .singleElement()
        .asString()
        .startsWith("the mesh adds up without worker 1:");
  }

  private static List<String> notes(RunStatus shown, long nowNanos) {
    return now(shown, 0, nowNanos).notes();
  }

  @Test
  void travelsAsJson() {
    ReportedRun run = new ReportedRun(2);
    run.add(part(0, 2, 1), 1);
    run.add(part(1, 2, 1), 1);
    for (int rank = 0; rank < 2; rank++) {
      run.add(
          new Finished(
              rank, 2, 15, false, Score.NONE, Score.NONE, new byte[] {1}, new float[] {1}));
    }
    Outcome outcome = Conclusion.of(run, true, OptionalLong.of(1000), "m", "h", "b");
    Status status = shown(run, 3, 1000).of(Optional.of(outcome), List.of(), 0, 0);
    assertThat(Status.parse(status.toJson())).isEqualTo(status);
  }

  private static Began began(int rank, int workers) {
    return new Began(rank, workers, "a host", 100, new MathKernels("BLAS 1", "HASWELL", 0xaa));
  }

  private static RunStatus shown(ReportedRun run, int epochs, long trainSamples) {
    return new RunStatus(
        run,
        run.workers(),
        epochs,
        Double.NaN,
        trainSamples,
        EvaluatedSet.TEST,
        LeftOutWorkers.Words.NONE);
  }

  private static RunStatus shown(ReportedRun run, LeftOutWorkers.Words words) {
    return new RunStatus(run, run.workers(), 3, Double.NaN, 1000, EvaluatedSet.TEST, words);
  }

  private static Status now(RunStatus shown, double seconds, long nowNanos) {
    return shown.of(Optional.empty(), List.of(), seconds, nowNanos);
  }
}
