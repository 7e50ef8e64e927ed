package dev.braid.job.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.ledger.LedgerSummary;
import dev.braid.worker.Reports.Evaluated;
import dev.braid.worker.Reports.Finished;
import dev.braid.worker.Reports.ModelPart;
import dev.braid.worker.Reports.Progress;
import dev.braid.worker.RoundSums;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class BooksTest {

  private static final ReportConfig CONFIG =
      new ReportConfig("{}", "/tmp/out/", 1000, 3, true, new Nothing());

  private static final RoundSums ROUNDS =
      new RoundSums(2, 3_000_000_000L, 1_500_000_000L, 600_000_000L, 5, 4, 14, 5e6, 3);

  private record Nothing() implements ModelFormat {
    @Override
    public String nativeLibrary() {
      return "none";
    }

    @Override
    public void write(float[] weights, float[][] updaterState, long steps, OutputStream out)
        throws IOException {}
  }

  @Test
  void addsUpAnEpochInRankOrder() {
    Books books = new Books(3, 3);
    assertThat(books.add(part(2, 1e-17), 1)).isEmpty();
    assertThat(books.add(part(0, 1.0), 1)).isEmpty();
    Evaluation evaluation = books.add(part(1, -1.0), 2.5).orElseThrow();
    assertThat(evaluation.trainLoss()).isEqualTo((1.0 - 1.0 + 1e-17) / 30);
    assertThat(evaluation.testAccuracy()).isEqualTo(0.8);
    assertThat(evaluation.epoch()).isEqualTo(1);
    assertThat(evaluation.bytes()).isEqualTo(300);
    assertThat(evaluation.seconds()).isEqualTo(2.5);
    assertThat(evaluation.worker()).isEqualTo(new WorkerMeans(3, 1.5, 0.6, 2.5, 4, 7, 2.5e6, 3));
  }

  @Test
  void whatServersHaveSentIsPartOfTheEpochsBytes() {
    Books books = new Books(2, 3);
    books.add(new Progress(2, 0, 0, 0, 0, 5_000, false), 1);
    books.add(part(0, 1), 1);
    assertThat(books.add(part(1, 1), 1)).map(Evaluation::bytes).hasValue(5_200L);
  }

  @Test
  void keepsWhatItHadAcrossAFailure() {
    Books before = new Books(2, 3);
    before.add(part(0, 1), 1);
    Books after = new Books(2, 3);
    after.restore(before.evaluations(), before.openParts());
    assertThat(after.add(part(1, 1), 2)).isPresent();
    assertThat(after.status().lastEvaluation()).map(Evaluation::epoch).hasValue(1);
  }

  @Test
  void closesWhenAllReplicasAgree() {
    Books books = new Books(2, 3);
    books.add(new Finished(0, 2, 15, false, 0, 0, new byte[] {1, (byte) 0xab}, new float[] {1}));
    books.add(new Finished(1, 2, 15, false, 0, 0, new byte[] {1, (byte) 0xab}, new float[] {1}));
    books.add(new LedgerSummary(0, 1, new long[] {1000}, new long[] {0}));
    books.add(part(0, 1), 1);
    books.add(part(1, 1), 1);
    Outcome outcome = books.close(CONFIG);
    assertThat(outcome.digest()).isEqualTo("01ab");
    assertThat(outcome.ledgerExact()).isTrue();
    assertThat(outcome.replicaAccuracies()).isEmpty();
    assertThat(outcome.accuracyVariancePp2()).isZero();
    assertThat(outcome.model()).isEqualTo("/tmp/out/model.zip");
    assertThat(Status.parse(books.status().toJson())).isEqualTo(books.status());
  }

  @Test
  void failsWhenReplicasDifferOrAreMissing() {
    Books books = new Books(2, 3);
    books.add(new Finished(0, 2, 15, false, 0, 0, new byte[] {1}, new float[] {1}));
    assertThatThrownBy(() -> books.close(CONFIG))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("1 of 2 workers said that they were done");
    books.add(new Finished(1, 2, 15, false, 0, 0, new byte[] {2}, new float[] {1}));
    assertThatThrownBy(() -> books.close(CONFIG))
        .isInstanceOf(ReplicasDifferException.class)
        .hasMessageContaining("worker 1 has weights of digest 02, others 01");
  }

  @Test
  void saysHowFarApartReplicasAreThatNeedNotBeIdentical() {
    Books books = new Books(2, 3);
    books.add(new Finished(0, 2, 15, false, 0, 0, new byte[] {1}, new float[] {3, 4}));
    books.add(new Finished(1, 2, 15, false, 0, 0, new byte[] {2}, new float[] {3, 6}));
    Outcome outcome =
        books.close(new ReportConfig("{}", "/tmp/out/", 1000, 3, false, new Nothing()));
    assertThat(outcome.digest()).isEqualTo("01");
    assertThat(outcome.identical()).isEqualTo(1);
    // Distances 0 and 0, 1 and 1; weights 3, 4, 3 and 6.
    assertThat(outcome.distance()).isEqualTo(Math.sqrt(2.0 / 70));
  }

  /** 95, 96 and 97 %: squared distances of 1, 0 and 1; one that is cut off does not count. */
  @Test
  void saysHowFarApartTheAccuraciesOfReplicasAre() {
    Books books = new Books(4, 3);
    books.add(new Finished(2, 4, 15, false, 200, 194, new byte[] {1}, new float[] {1}));
    books.add(new Finished(0, 4, 15, false, 200, 190, new byte[] {2}, new float[] {1}));
    books.add(new Finished(1, 4, 15, false, 200, 192, new byte[] {3}, new float[] {1}));
    books.add(new Finished(3, 4, 15, true, 200, 20, new byte[] {4}, new float[] {1}));
    Outcome outcome =
        books.close(new ReportConfig("{}", "/tmp/out/", 1000, 3, false, new Nothing()));
    assertThat(outcome.replicaAccuracies()).containsExactly(0.95, 0.96, 0.97);
    assertThat(outcome.accuracyVariancePp2()).isCloseTo(2.0 / 3, within(1e-9));
  }

  @Test
  void statusAddsUpRanks() {
    Books books = new Books(2, 3);
    books.add(new Progress(0, 1, 20, 100, 50, 1000, false), 0);
    books.add(new Progress(1, 1, 21, 100, 150, 2000, false), 1_000_000_000L);
    Status status = books.status();
    assertThat(status.epoch()).isEqualTo(2);
    assertThat(status.round()).isEqualTo(21);
    assertThat(status.samples()).isEqualTo(200);
    assertThat(status.bytes()).isEqualTo(3000);
    assertThat(status.loss()).isEqualTo(1.0);
    assertThat(status.samplesPerSecond()).isEqualTo(100);
  }

  @Test
  void putsTheModelTogether() {
    AssembledModel model = new AssembledModel();
    model.add(new ModelPart(0, 2, 2, 3, 9, new float[] {3}));
    model.add(new ModelPart(1, 2, 0, 3, 9, new float[] {4, 5, 6}));
    assertThatThrownBy(model::vectors).hasMessageContaining("4 of 6 values");
    model.add(new ModelPart(0, 2, 0, 3, 9, new float[] {1, 2}));
    assertThat(model.vectors()).isDeepEqualTo(new float[][] {{1, 2, 3}, {4, 5, 6}});
    assertThat(model.steps()).isEqualTo(9);
  }

  @Test
  void ledgerSaysWhatIsOff() {
    LedgerSummary one = new LedgerSummary(0, 2, new long[] {600, 600}, new long[] {0, 0});
    LedgerSummary two = new LedgerSummary(1, 2, new long[] {400, 399}, new long[] {0, 2});
    assertThat(LedgerVerdict.of(List.of(one, two), 1000, 2))
        .isEqualTo(new LedgerVerdict(false, "epoch 2: 999 of 1,000 samples used, 2 uses repeated"));
    assertThat(LedgerVerdict.of(List.of(one), 600, 2).sentence())
        .isEqualTo("every one of 600 samples used exactly once in each of 2 epochs");
    assertThat(LedgerVerdict.of(List.of(), 600, 1).exact()).isFalse();
  }

  private static Evaluated part(int rank, double trainLossSum) {
    return new Evaluated(rank, 0, 5, 10, 8, 3, 10, trainLossSum, 7, 100, ROUNDS);
  }
}
