package dev.braid.run.report.reported;

import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Measured.Awaited;
import dev.braid.learner.Learner.Score;
import dev.braid.worker.report.EpochSums;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.Reports.Progress;
import dev.braid.worker.report.TestShare;

/** Reports of workers for tests of their evaluation. */
public final class Told {

  /** Sums of the figures of a worker's two rounds in an epoch. */
  public static final FigureValues ROUNDS = new FigureValues(3e9, 1.5e9, 6e8, 5, 4, 14, 5e6, 3);

  static {
    ROUNDS.set(Figure.ROUNDS, 2);
  }

  static final FigureValues NO_ROUNDS = new FigureValues();

  /** Score with 8 of 10 samples correct. */
  public static final Score TEST = new Score(10, 8, 3);

  private Told() {}

  /** Returns the report of a worker that evaluates one of several parts of the test set. */
  public static Evaluated share(int rank, int workers, int part, int parts) {
    TestShare share = new TestShare(part, parts);
    return new Evaluated(rank, workers, 0, 5, sums(TEST, 10, 1, 0), share, 10L * parts);
  }

  /** Returns the sums of a worker over an epoch. */
  public static EpochSums sums(Score test, long samples, double lossSum, long missed) {
    return new EpochSums(samples, lossSum, 7, 100, ROUNDS, missed, test);
  }

  /** Returns the progress of a rank that trains and misses others. */
  public static Progress progress(
      int rank, int epoch, long round, long samples, double lossSum, long bytes, int... absent) {
    return new Progress(
        rank,
        epoch,
        round,
        samples,
        lossSum,
        0,
        bytes,
        false,
        absent,
        Progress.NOBODY,
        Progress.NO_RECOVERIES);
  }

  /** Returns the progress of a rank that waits for others, or is excluded. */
  public static Progress waiting(int rank, long round, boolean leftOut, Awaited... awaited) {
    return new Progress(
        rank, 0, round, 0, 0, 0, 0, leftOut, new int[0], awaited, Progress.NO_RECOVERIES);
  }

  /**
   * Returns the report of a worker whose part of the test set is as large as those of the others.
   */
  public static Evaluated part(int rank, int workers, double trainLossSum) {
    TestShare share = new TestShare(rank, workers);
    return new Evaluated(
        rank, workers, 0, 5, sums(TEST, 10, trainLossSum, 0), share, 10L * workers);
  }

  /** Returns the report of a worker that has evaluated its part but trained on no samples. */
  public static Evaluated emptyPart(int rank, int workers) {
    EpochSums sums = new EpochSums(0, 0, 0, 100, NO_ROUNDS, 0, TEST);
    TestShare share = new TestShare(rank, workers);
    return new Evaluated(rank, workers, 0, 5, sums, share, 10L * workers);
  }
}
