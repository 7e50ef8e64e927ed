package dev.braid.run.report.reported;

import dev.braid.exchange.Measured.Awaited;
import dev.braid.learner.Learner.Score;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.Reports.Progress;
import dev.braid.worker.report.RoundSums;

/** What workers tell of themselves, for tests of what becomes of it. */
public final class Told {

  /** Of a worker's rounds in an epoch. */
  public static final RoundSums ROUNDS =
      new RoundSums(2, 3_000_000_000L, 1_500_000_000L, 600_000_000L, 5, 4, 14, 5e6, 3);

  /** 8 of 10 right. */
  public static final Score TEST = new Score(10, 8, 3);

  private Told() {}

  /** Of a worker that evaluates this part of the test set, of so many. */
  public static Evaluated share(int rank, int workers, int part, int parts) {
    return new Evaluated(
        rank, workers, 0, 5, TEST, 10, 1, 7, 100, ROUNDS, part, parts, 10L * parts, 0);
  }

  /** Of a rank that goes on, and misses others. */
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

  /** Of a rank that waits for others, or is left out. */
  public static Progress waiting(int rank, long round, boolean leftOut, Awaited... awaited) {
    return new Progress(
        rank, 0, round, 0, 0, 0, 0, leftOut, new int[0], awaited, Progress.NO_RECOVERIES);
  }

  /** Of a worker with a part of the test set as large as everybody else's. */
  public static Evaluated part(int rank, int workers, double trainLossSum) {
    return new Evaluated(
        rank,
        workers,
        0,
        5,
        TEST,
        10,
        trainLossSum,
        7,
        100,
        ROUNDS,
        rank,
        workers,
        10L * workers,
        0);
  }

  /** With what a worker is tested on, and nothing that it was trained on. */
  public static Evaluated emptyPart(int rank, int workers) {
    return new Evaluated(
        rank, workers, 0, 5, TEST, 0, 0, 0, 100, RoundSums.NONE, rank, workers, 10L * workers, 0);
  }
}
