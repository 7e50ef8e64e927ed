package dev.braid.run.report.reported;

import static dev.braid.run.report.reported.Told.emptyPart;
import static dev.braid.run.report.reported.Told.part;
import static dev.braid.run.report.reported.Told.progress;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.learner.math.MathKernels;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.WorkerMeans;
import dev.braid.worker.report.Reports.Began;
import org.junit.jupiter.api.Test;

class ReportedRunTest {

  @Test
  void addsUpAnEpochInRankOrder() {
    ReportedRun run = new ReportedRun(3);
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
    ReportedRun run = new ReportedRun(2);
    run.add(progress(2, 0, 0, 0, 0, 5_000), 1);
    run.add(part(0, 2, 1), 1);
    assertThat(run.add(part(1, 2, 1), 1)).map(Evaluation::bytes).hasValue(5_200L);
  }

  /** A worker that was restored from before the end of its epoch was recorded reports again. */
  @Test
  void aReportThatComesAgain_countsOnce() {
    ReportedRun run = new ReportedRun(2);
    run.add(part(0, 2, 1), 1);
    run.add(emptyPart(0, 2), 1);
    Evaluation evaluation = run.add(part(1, 2, 1), 1).orElseThrow();
    assertThat(evaluation.samples()).isEqualTo(20);
    assertThat(run.add(emptyPart(0, 2), 2)).isEmpty();
    assertThat(run.add(emptyPart(1, 2), 2)).isEmpty();
    assertThat(run.evaluations()).containsExactly(evaluation);
    assertThat(run.openParts()).isEmpty();
  }

  /**
   * Of 2 workers, one has reported when 3 continue; at the end rank 0 has the part of the other.
   */
  @Test
  void anEpochThatOtherWorkersHaveBegun_hasAllTheirSamplesAndEachTestOnce() {
    ReportedRun before = new ReportedRun(2);
    before.add(part(1, 2, 1), 1);
    ReportedRun between = new ReportedRun(3);
    between.restore(before.evaluations(), before.openParts());
    between.add(began(0, 3));
    ReportedRun after = new ReportedRun(2);
    after.restore(between.evaluations(), between.openParts());

    assertThat(after.add(part(0, 2, 1), 1)).isEmpty();
    Evaluation evaluation = after.add(emptyPart(1, 2), 1).orElseThrow();
    assertThat(evaluation.samples()).isEqualTo(20);
    assertThat(evaluation.testAccuracy()).isEqualTo(0.8);
    assertThat(evaluation.bytes()).isEqualTo(200);
  }

  private static Began began(int rank, int workers) {
    return new Began(rank, workers, "a host", 100, new MathKernels("BLAS 1", "HASWELL", 0xaa));
  }
}
