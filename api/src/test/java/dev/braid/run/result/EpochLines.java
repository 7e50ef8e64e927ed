package dev.braid.run.result;

import dev.braid.run.result.Evaluation.TestFigures;
import dev.braid.run.result.Evaluation.TrainFigures;

/** Evaluations for tests that need little more than the score of an epoch. */
public final class EpochLines {

  private static final TrainFigures TRAIN = new TrainFigures(1, 10, 1, 0);

  private EpochLines() {}

  private static Evaluation line(
      int epoch, TrainFigures train, TestFigures test, double seconds, long bytes) {
    WorkerMeans worker = new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0);
    return Evaluation.of(epoch, epoch, train, test, seconds, bytes, worker);
  }

  private static TestFigures test(double accuracy) {
    return TestFigures.ofClasses(1, accuracy, 10, 10);
  }

  /** Returns an epoch, from 1, with this test accuracy on the whole of a test set of ten. */
  public static Evaluation of(int epoch, double accuracy) {
    return line(epoch, TRAIN, test(accuracy), 1, 0);
  }

  /** Returns an epoch, from 1, with this test accuracy on eight of ten samples. */
  public static Evaluation ofPart(int epoch, double accuracy) {
    return line(epoch, TRAIN, TestFigures.ofClasses(1, accuracy, 8, 10), 1, 0);
  }

  /** Returns an epoch, from 1, with this training loss. */
  public static Evaluation ofLoss(int epoch, double trainLoss) {
    return line(epoch, new TrainFigures(trainLoss, 10, 1, 0), test(0.9), 1, 0);
  }

  /** Returns an epoch, from 1, by whose end this many bytes were sent. */
  public static Evaluation ofBytes(int epoch, long bytes) {
    return line(epoch, TRAIN, test(0.9), 1, bytes);
  }

  /** Returns an epoch of a regression, from 1, that took a second. */
  public static Evaluation ofValues(int epoch, double testLoss, double testR2) {
    TestFigures test = new TestFigures(testLoss, Double.NaN, 4, 4, testR2, testLoss, 0.5);
    return line(epoch, new TrainFigures(2, 36, 1, 0), test, epoch, 100);
  }
}
