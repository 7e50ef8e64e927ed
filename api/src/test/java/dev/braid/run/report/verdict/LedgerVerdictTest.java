package dev.braid.run.report.verdict;

import static dev.braid.run.report.reported.Told.TEST;
import static dev.braid.run.report.reported.Told.sums;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.ledger.LedgerSummary;
import dev.braid.run.report.reported.ReportedRun;
import dev.braid.run.result.Evaluation;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.TestShare;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LedgerVerdictTest {

  @Test
  void ledgerSaysWhatIsOff() {
    LedgerSummary one = new LedgerSummary(0, 2, new long[] {600, 600}, new long[] {0, 0});
    LedgerSummary two = new LedgerSummary(1, 2, new long[] {400, 399}, new long[] {0, 2});
    assertThat(LedgerVerdict.of(List.of(one, two), OptionalLong.of(1000), missing(0, 0)))
        .isEqualTo(
            new LedgerVerdict(
                false, false, 0, "epoch 2: 999 of 1,000 samples used, 2 uses repeated"));
    assertThat(LedgerVerdict.of(List.of(one), OptionalLong.of(600), missing(0, 0)).sentence())
        .isEqualTo("every one of 600 samples used exactly once in each of 2 epochs");
    assertThat(LedgerVerdict.of(List.of(), OptionalLong.of(600), missing(0)).exact()).isFalse();
  }

  @Test
  void ledgerKnowsWhatAWorkerThatWasCutOffHasMissed() {
    LedgerSummary used = new LedgerSummary(0, 1, new long[] {600, 580}, new long[] {0, 0});
    assertThat(LedgerVerdict.of(List.of(used), OptionalLong.of(600), missing(0, 20)))
        .isEqualTo(
            new LedgerVerdict(
                false,
                true,
                20,
                "20 of 1,200 uses of samples were missed while a worker was excluded; no sample was"
                    + " used twice in an epoch"));
    assertThat(LedgerVerdict.of(List.of(used), OptionalLong.of(600), missing(0, 19)).accounted())
        .isFalse();
    LedgerSummary twice = new LedgerSummary(0, 1, new long[] {600, 580}, new long[] {0, 1});
    assertThat(LedgerVerdict.of(List.of(twice), OptionalLong.of(600), missing(0, 20)).accounted())
        .isFalse();
  }

  @Test
  void aStreamWithoutRecordsHasNoEpochToJudge() {
    LedgerSummary empty = new LedgerSummary(0, 1, new long[0], new long[0]);
    LedgerVerdict verdict = LedgerVerdict.of(List.of(empty), OptionalLong.empty(), missing());
    assertThat(verdict.exact()).isTrue();
    assertThat(verdict.sentence()).doesNotContain("samples");
  }

  private static List<Evaluation> missing(long... missed) {
    ReportedRun run = new ReportedRun(1);
    for (int epoch = 0; epoch < missed.length; epoch++) {
      run.add(
          new Evaluated(0, 1, epoch, 5, sums(TEST, 10, 1, missed[epoch]), new TestShare(0, 1), 10),
          1);
    }
    return run.evaluations();
  }
}
