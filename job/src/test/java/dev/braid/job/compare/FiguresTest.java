package dev.braid.job.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.run.result.EpochLines;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.RunHistory;
import dev.braid.run.result.WorkerMeans;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FiguresTest {

  private static Figures figures(Evaluation... epochs) {
    return Figures.of(
        new RunHistory(
            Histories.head("{\"target-accuracy\": 0.95}"), List.of(epochs), Optional.empty()));
  }

  private static Evaluation epoch(double seconds, long samples, long testSamples) {
    WorkerMeans worker = new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0);
    return Evaluation.of(
        1,
        10,
        new Evaluation.TrainFigures(1, samples, seconds, 0),
        Evaluation.TestFigures.ofClasses(1, 0.97, testSamples, 100),
        seconds,
        0,
        worker);
  }

  @Test
  void aPartOfTheTestSetReachesNoTarget() {
    assertThat(figures(EpochLines.ofPart(1, 0.97)).secondsToTarget()).isEmpty();
    assertThat(figures(EpochLines.ofPart(1, 0.97), EpochLines.of(2, 0.96)).secondsToTarget())
        .hasValue(1);
  }

  /** The worker was unreachable until then: its samples count, and so does its time. */
  @Test
  void whoReportsLateHasTakenUntilThen() {
    Evaluation amended = epoch(6, 750, 75).withLate(epoch(20, 1000, 100));
    Figures figures = figures(amended);
    assertThat(figures.seconds()).isEqualTo(20);
    assertThat(figures.samplesPerSecond()).isEqualTo(50);
    assertThat(figures.secondsToTarget()).hasValue(20);
  }

  @Test
  void whoReportsLateOfAWholeTestSetChangesNoTime() {
    Figures figures = figures(epoch(6, 750, 100).withLate(epoch(20, 780, 100)));
    assertThat(figures.seconds()).isEqualTo(6);
    assertThat(figures.samplesPerSecond()).isEqualTo(130);
    assertThat(figures.secondsToTarget()).hasValue(6);
  }

  @Test
  void compressionIsOfAllEpochs() {
    WorkerMeans first = new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.01, 0.2, 3, 900, 10);
    WorkerMeans second = new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.03, 0.4, 5, 900, 20);
    Figures figures = figures(epoch(first), epoch(second));
    Figures.Compression compression = figures.compression().orElseThrow();
    assertThat(compression.density()).isEqualTo(0.02);
    assertThat(compression.threshold()).isCloseTo(0.3, within(1e-9));
    assertThat(compression.residualNorm()).isEqualTo(4);
    assertThat(compression.plainBytes()).isEqualTo(1800);
    assertThat(compression.sentBytes()).isEqualTo(30);
    assertThat(compression.ratio()).isEqualTo(60);
    assertThat(figures(epoch(6, 750, 100)).compression()).isEmpty();
  }

  private static Evaluation epoch(WorkerMeans worker) {
    return Evaluation.of(
        1,
        10,
        new Evaluation.TrainFigures(1, 100, 5, 0),
        Evaluation.TestFigures.ofClasses(1, 0.97, 100, 100),
        5,
        0,
        worker);
  }
}
