package dev.braid.run.report.verdict;

import static dev.braid.run.report.reported.Told.part;
import static dev.braid.run.report.reported.Told.progress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.Learner.Score;
import dev.braid.ledger.LedgerSummary;
import dev.braid.run.report.reported.ReportedRun;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Outcome;
import dev.braid.worker.report.Reports.Finished;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ConclusionTest {

  @Test
  void closesWhenAllReplicasAgree() {
    ReportedRun run = new ReportedRun(2);
    run.add(
        new Finished(
            0, 2, 15, false, Score.NONE, Score.NONE, new byte[] {1, (byte) 0xab}, new float[] {1}));
    run.add(
        new Finished(
            1, 2, 15, false, Score.NONE, Score.NONE, new byte[] {1, (byte) 0xab}, new float[] {1}));
    run.add(new LedgerSummary(0, 1, new long[] {1000}, new long[] {0}));
    run.add(part(0, 2, 1), 1);
    run.add(part(1, 2, 1), 1);
    Outcome outcome = conclude(run, true);
    assertThat(outcome.digest()).isEqualTo("01ab");
    assertThat(outcome.ledgerExact()).isTrue();
    assertThat(outcome.replicaAccuracies()).hasValue(List.of());
    assertThat(outcome.accuracyVariancePp2()).isZero();
    assertThat(outcome.model()).isEqualTo("/tmp/out/model.zip");
  }

  @Test
  void failsWhenReplicasDifferOrAreMissing() {
    ReportedRun run = new ReportedRun(2);
    run.add(new Finished(0, 2, 15, false, Score.NONE, Score.NONE, new byte[] {1}, new float[] {1}));
    assertThatThrownBy(() -> conclude(run, true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("1 of 2 workers reported that they had finished");
    run.add(new Finished(1, 2, 15, false, Score.NONE, Score.NONE, new byte[] {2}, new float[] {1}));
    assertThatThrownBy(() -> conclude(run, true))
        .isInstanceOf(ReplicasDifferException.class)
        .hasMessageContaining("worker 1 has weights of digest 02, others 01");
  }

  /**
   * The run was built for four workers and has got two slots: all existing workers have reported.
   */
  @Test
  void countsTheWorkersThatThereAre_notThoseThatWereAskedFor() {
    ReportedRun run = new ReportedRun(4);
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
    Outcome outcome = conclude(run, true);
    assertThat(outcome.ranks()).isEqualTo(2);
    assertThat(outcome.ledgerExact()).isTrue();
  }

  @Test
  void moreWorkersThanWereAskedForAreWaitedFor() {
    ReportedRun run = new ReportedRun(1);
    assertThat(run.add(part(0, 2, 1), 1)).isEmpty();
    assertThat(run.add(part(1, 2, 1), 1)).isPresent();
    run.add(new Finished(0, 2, 15, false, Score.NONE, Score.NONE, new byte[] {1}, new float[] {1}));
    assertThatThrownBy(() -> conclude(run, true))
        .hasMessage("1 of 2 workers reported that they had finished");
  }

  /** Four workers began to report that they were done, failed, and restarted as two. */
  @Test
  void whatAnEarlierNumberOfWorkersSaidAtItsEndDoesNotCount() {
    ReportedRun run = new ReportedRun(4);
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
    Outcome outcome = conclude(run, true);
    assertThat(outcome.ranks()).isEqualTo(2);
    assertThat(outcome.digest()).isEqualTo("01");
    assertThat(outcome.ledgerExact()).isTrue();
  }

  @Test
  void saysHowFarApartReplicasAreThatNeedNotBeIdentical() {
    ReportedRun run = new ReportedRun(2);
    run.add(
        new Finished(0, 2, 15, false, Score.NONE, Score.NONE, new byte[] {1}, new float[] {3, 4}));
    run.add(
        new Finished(1, 2, 15, false, Score.NONE, Score.NONE, new byte[] {2}, new float[] {3, 6}));
    Outcome outcome = conclude(run, false);
    assertThat(outcome.digest()).isEqualTo("01");
    assertThat(outcome.identical()).isEqualTo(1);
    // Distances 0 and 0, 1 and 1; weights 3, 4, 3 and 6.
    assertThat(outcome.distance()).isEqualTo(Math.sqrt(2.0 / 70));
  }

  /**
   * Accuracies of 95, 96 and 97 % have squared distances of 1, 0 and 1; an excluded worker does not
   * count.
   */
  @Test
  void saysHowFarApartTheAccuraciesOfReplicasAre() {
    ReportedRun run = new ReportedRun(4);
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
    Outcome outcome = conclude(run, false);
    assertThat(outcome.replicaAccuracies()).hasValue(List.of(0.95, 0.96, 0.97));
    assertThat(outcome.accuracyVariancePp2()).isCloseTo(2.0 / 3, within(1e-9));
  }

  private static Outcome conclude(ReportedRun run, boolean identical) {
    return Conclusion.of(
        run,
        identical,
        OptionalLong.of(1000),
        "/tmp/out/model.zip",
        "/tmp/out/history.jsonl",
        "/tmp/out/best-model.zip");
  }
}
