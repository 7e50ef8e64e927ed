package dev.braid.run.result;

/** Evaluations for tests that need little more than the score of an epoch. */
public final class EpochLines {

  private EpochLines() {}

  /** Returns an epoch, from 1, with this test accuracy on the whole of a test set of ten. */
  public static Evaluation of(int epoch, double accuracy) {
    WorkerMeans worker = new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0);
    return new Evaluation(epoch, epoch, 1, 1, accuracy, 10, 1, 1, 0, worker, 10, 10, 0);
  }

  /** Returns an epoch, from 1, with this test accuracy on eight of ten samples. */
  public static Evaluation ofPart(int epoch, double accuracy) {
    WorkerMeans worker = new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0);
    return new Evaluation(epoch, epoch, 1, 1, accuracy, 10, 1, 1, 0, worker, 8, 10, 0);
  }

  /** Returns an epoch, from 1, with this training loss. */
  public static Evaluation ofLoss(int epoch, double trainLoss) {
    WorkerMeans worker = new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0);
    return new Evaluation(epoch, epoch, trainLoss, 1, 0.9, 10, 1, 1, 0, worker, 10, 10, 0);
  }

  /** Returns an epoch, from 1, by whose end this many bytes were sent. */
  public static Evaluation ofBytes(int epoch, long bytes) {
    WorkerMeans worker = new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0);
    return new Evaluation(epoch, epoch, 1, 1, 0.9, 10, 1, 1, bytes, worker, 10, 10, 0);
  }

  /** Returns an epoch of a regression, from 1, that took a second. */
  public static Evaluation ofValues(int epoch, double testLoss, double testR2) {
    WorkerMeans worker = new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0);
    double nan = Double.NaN;
    return new Evaluation(
        epoch, epoch, 2, testLoss, nan, 36, 1, epoch, 100, worker, 4, 4, 0, testR2, testLoss, 0.5);
  }
}
