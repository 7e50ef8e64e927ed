package dev.braid.run.result;

/** Evaluations for tests that need little more than the score of an epoch. */
public final class EpochLines {

  private EpochLines() {}

  /** Returns an epoch, from 1, with this test accuracy on the whole of a test set of ten. */
  public static Evaluation of(int epoch, double accuracy) {
    WorkerMeans worker = new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0);
    return Evaluation.of(
        epoch,
        epoch,
        new Evaluation.TrainFigures(1, 10, 1, 0),
        Evaluation.TestFigures.ofClasses(1, accuracy, 10, 10),
        1,
        0,
        worker);
  }

  /** Returns an epoch, from 1, with this test accuracy on eight of ten samples. */
  public static Evaluation ofPart(int epoch, double accuracy) {
    WorkerMeans worker = new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0);
    return Evaluation.of(
        epoch,
        epoch,
        new Evaluation.TrainFigures(1, 10, 1, 0),
        Evaluation.TestFigures.ofClasses(1, accuracy, 8, 10),
        1,
        0,
        worker);
  }

  /** Returns an epoch, from 1, with this training loss. */
  public static Evaluation ofLoss(int epoch, double trainLoss) {
    WorkerMeans worker = new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0);
    return Evaluation.of(
        epoch,
        epoch,
        new Evaluation.TrainFigures(trainLoss, 10, 1, 0),
        Evaluation.TestFigures.ofClasses(1, 0.9, 10, 10),
        1,
        0,
        worker);
  }

  /** Returns an epoch, from 1, by whose end this many bytes were sent. */
  public static Evaluation ofBytes(int epoch, long bytes) {
    WorkerMeans worker = new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0);
    return Evaluation.of(
        epoch,
        epoch,
        new Evaluation.TrainFigures(1, 10, 1, 0),
        Evaluation.TestFigures.ofClasses(1, 0.9, 10, 10),
        1,
        bytes,
        worker);
  }

  /** Returns an epoch of a regression, from 1, that took a second. */
  public static Evaluation ofValues(int epoch, double testLoss, double testR2) {
    WorkerMeans worker = new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0);
    double nan = Double.NaN;
    return Evaluation.of(
        epoch,
        epoch,
        new Evaluation.TrainFigures(2, 36, 1, 0),
        new Evaluation.TestFigures(testLoss, nan, 4, 4, testR2, testLoss, 0.5),
        epoch,
        100,
        worker);
  }
}
