package dev.braid.run.report.reported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.Learner;
import dev.braid.run.result.Evaluation;
import dev.braid.worker.report.EpochSums;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.TestShare;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LossDriftTest {

  /** Returns the drift of a model that has settled, at a loss that does not count. */
  private static LossDrift after(double... losses) {
    LossDrift drift = LossDrift.NONE;
    for (int i = 0; i < 10; i++) {
      drift = drift.with(100);
    }
    for (double loss : losses) {
      drift = drift.with(loss);
    }
    return drift;
  }

  @Test
  void theFirstWindowsHaveNone() {
    LossDrift drift = LossDrift.NONE;
    for (int i = 0; i < LossDrift.FIRST_WINDOWS; i++) {
      assertThat(drift.of(0.9)).isNaN();
      drift = drift.with(0.4 + i % 2 * 0.2);
    }
    assertThat(drift.of(0.9)).isPositive();
    assertThat(drift.of(0.1)).isNegative();
  }

  @Test
  void theFirstLossesCountEqually_andEarlierOnesLessAndLess() {
    LossDrift first = after(1, 2, 6);
    assertThat(first.mean()).isCloseTo(3, within(1e-12));
    assertThat(first.variance()).isCloseTo(14 / 3.0, within(1e-12));
    LossDrift old = after(9, 9, 9, 9, 9, 9, 9, 9, 9, 9);
    for (int i = 0; i < 200; i++) {
      old = old.with(1);
    }
    assertThat(old.mean()).isCloseTo(1, within(1e-6));
  }

  /** Otherwise a first change would hide a second one that comes soon after it. */
  @Test
  void aChangeDoesNotHideTheNext() {
    SplittableRandom random = new SplittableRandom(1);
    LossDrift drift = LossDrift.NONE;
    for (int i = 1; i <= 200; i++) {
      boolean isChange = i % 30 == 0;
      double loss = (isChange ? 1.0 : 0.3) + 0.02 * random.nextDouble();
      if (isChange) {
        assertThat(drift.of(loss)).isGreaterThan(20);
      }
      drift = drift.with(loss);
    }
  }

  @Test
  void equalLossesMakeNoSmallChangeNotable_andLossesOfZeroHaveNone() {
    LossDrift equal = after(2, 2, 2, 2, 2, 2, 2, 2, 2, 2);
    assertThat(equal.of(2.02)).isCloseTo(1, within(1e-9));
    assertThat(after(0, 0, 0, 0, 0, 0, 0, 0, 0, 0).of(1)).isNaN();
  }

  @Test
  void aRestoredRunHasTheDriftsOfAnUndisturbedOne() {
    ReportedRun whole = windows();
    ReportedRun before = windows();
    for (int window = 0; window < 25; window++) {
      add(whole, window);
      add(before, window);
    }
    ReportedRun after = windows();
    after.restore(before.evaluations(), before.openParts());
    after.restore(before.drift().orElseThrow());
    for (int window = 25; window < 35; window++) {
      add(whole, window);
      add(after, window);
    }
    assertThat(drifts(after)).isEqualTo(drifts(whole)).doesNotContain(Double.NaN);
  }

  private static List<Double> drifts(ReportedRun run) {
    return run.evaluations().stream()
        .filter(window -> window.epoch() > LossDrift.FIRST_WINDOWS)
        .map(Evaluation::drift)
        .toList();
  }

  @Test
  void aWindowWithoutSamplesHasNone_andEpochsHaveNone() {
    ReportedRun run = windows();
    for (int window = 0; window < 22; window++) {
      add(run, window);
    }
    Optional<LossDrift> before = run.drift();
    Evaluation empty = run.add(window(22, 0, 0), 1).orElseThrow();
    assertThat(empty.drift()).isNaN();
    assertThat(run.drift()).isEqualTo(before);

    ReportedRun epochs = new ReportedRun(1);
    for (int epoch = 0; epoch < 22; epoch++) {
      assertThat(add(epochs, epoch).drift()).isNaN();
    }
    assertThat(epochs.drift()).isEmpty();
  }

  private static ReportedRun windows() {
    return new ReportedRun(1, Optional.empty(), 1000, true);
  }

  private static Evaluation add(ReportedRun run, int window) {
    return run.add(window(window, 10, 3 + window % 3), 1).orElseThrow();
  }

  private static Evaluated window(int window, long samples, double lossSum) {
    EpochSums sums = new EpochSums(samples, lossSum, 7, 100, Told.NO_ROUNDS, 0, Learner.Score.NONE);
    return new Evaluated(0, 1, window, 5, sums, new TestShare(0, 1), 0);
  }
}
