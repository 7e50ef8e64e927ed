package dev.braid.run.report.reported;

import dev.braid.learner.Learner;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.WorkerMeans;
import dev.braid.worker.report.EpochSums;
import dev.braid.worker.report.Reports.Evaluated;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The ranks' evaluations at the end of one epoch, added up in rank order. */
record EpochSum(int ranks, long round, EpochSums total, long testSetSamples) {

  /**
   * Returns the sum of all ranks' parts, in rank order, so that it does not depend on the order of
   * arrival.
   *
   * @param ranks number of ranks that have reported; there may be more parts if the number of
   *     workers has changed
   * @param evaluated the parts whose shares of the test set count
   */
  static EpochSum of(int ranks, Collection<Evaluated> parts, Collection<Evaluated> evaluated) {
    List<Evaluated> ordered =
        parts.stream().sorted(Comparator.comparingInt(Evaluated::rank)).toList();
    EpochSum sum = new EpochSum(ranks, 0, EpochSums.NONE, 0);
    for (Evaluated part : ordered) {
      sum = sum.plus(part, evaluated.contains(part));
    }
    return sum;
  }

  private EpochSum plus(Evaluated part, boolean isEvaluated) {
    return new EpochSum(
        ranks,
        Math.max(round, part.round()),
        total.plus(isEvaluated ? part.sums() : part.sums().withTest(Learner.Score.NONE)),
        Math.max(testSetSamples, part.testSetSamples()));
  }

  /** Returns the sum including bytes sent by other ranks, which evaluate nothing. */
  EpochSum plusBytes(long sent) {
    return new EpochSum(
        ranks, round, total.withBytesSent(total.bytesSent() + sent), testSetSamples);
  }

  Evaluation evaluation(int epoch, double seconds) {
    Learner.Score test = total.test();
    return Evaluation.of(
        epoch + 1,
        round,
        new Evaluation.TrainFigures(
            mean(total.lossSum(), total.samples()),
            total.samples(),
            total.trainNanos() / 1e9,
            total.missedSamples()),
        new Evaluation.TestFigures(
            test.loss(),
            test.samples() == 0 ? Double.NaN : test.accuracy(),
            test.samples(),
            testSetSamples,
            test.errors().r2(),
            test.errors().meanSquared(),
            test.errors().meanAbsolute()),
        seconds,
        total.bytesSent(),
        WorkerMeans.of(total.figures(), ranks));
  }

  private static double mean(double sum, long count) {
    return count == 0 ? 0 : sum / count;
  }
}
