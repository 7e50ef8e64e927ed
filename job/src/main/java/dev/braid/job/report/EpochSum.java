package dev.braid.job.report;

import dev.braid.worker.Reports.Evaluated;
import dev.braid.worker.RoundSums;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The ranks' evaluations at the end of one epoch, added up in the order of the ranks. */
record EpochSum(
    int ranks,
    long round,
    long testSamples,
    long testCorrect,
    double testLossSum,
    long trainSamples,
    double trainLossSum,
    long trainNanos,
    long bytes,
    RoundSums rounds) {

  /** The sum of all ranks' parts: in rank order, so that it does not depend on who came first. */
  static EpochSum of(Collection<Evaluated> parts) {
    List<Evaluated> ordered =
        parts.stream().sorted(Comparator.comparingInt(Evaluated::rank)).toList();
    EpochSum sum = new EpochSum(0, 0, 0, 0, 0, 0, 0, 0, 0, RoundSums.NONE);
    for (Evaluated part : ordered) {
      sum = sum.plus(part);
    }
    return sum;
  }

  private EpochSum plus(Evaluated part) {
    return new EpochSum(
        ranks + 1,
        Math.max(round, part.round()),
        testSamples + part.testSamples(),
        testCorrect + part.testCorrect(),
        testLossSum + part.testLossSum(),
        trainSamples + part.trainSamples(),
        trainLossSum + part.trainLossSum(),
        Math.max(trainNanos, part.trainNanos()),
        bytes + part.bytesSent(),
        rounds.plus(part.rounds()));
  }

  /** With what other ranks have sent, which evaluate nothing. */
  EpochSum plusBytes(long sent) {
    return new EpochSum(
        ranks,
        round,
        testSamples,
        testCorrect,
        testLossSum,
        trainSamples,
        trainLossSum,
        trainNanos,
        bytes + sent,
        rounds);
  }

  Evaluation evaluation(int epoch, double seconds) {
    return new Evaluation(
        epoch + 1,
        round,
        mean(trainLossSum, trainSamples),
        mean(testLossSum, testSamples),
        mean((double) testCorrect, testSamples),
        trainSamples,
        trainNanos / 1e9,
        seconds,
        bytes,
        WorkerMeans.of(rounds, ranks));
  }

  private static double mean(double sum, long count) {
    return count == 0 ? 0 : sum / count;
  }
}
