package dev.braid.worker.report;

import dev.braid.exchange.Measured.Awaited;
import dev.braid.learner.Learner;
import dev.braid.learner.math.MathKernels;
import dev.braid.loop.coordinator.Recovery;

/**
 * A worker's reports to the rest of the job. They are records that Flink serialises by their
 * components, except those with large arrays ({@link ModelPartSerializer}).
 */
public final class Reports {

  private Reports() {}

  /**
   * Report that a worker begins, for the first time or after a restart.
   *
   * @param workers number of workers
   * @param host name of the worker's location, for people
   * @param chunkLength maximum number of values in a message
   * @param kernels math kernels, which determine the bits of the worker's gradients
   */
  public record Began(int rank, int workers, String host, int chunkLength, MathKernels kernels) {}

  /**
   * The samples of one finished round at one rank, for the ledger.
   *
   * @param epoch from 0
   * @param round from 0
   */
  public record Usage(int epoch, long round, int[] sampleIds) {}

  /**
   * The offsets of one finished round at one rank, for the ledger of a stream. Element i of each
   * array belongs to range i.
   *
   * @param partitions partitions of the ranges
   * @param starts first offsets of the ranges, inclusive
   * @param ends ends of the ranges, exclusive
   * @param samples number of records that the rank trained on
   * @param heldOut number of records that the rank only scored
   * @param refused number of records that are not valid samples
   */
  public record OffsetUse(
      long[] partitions, long[] starts, long[] ends, int samples, int heldOut, int refused) {}

  /**
   * One rank's sums since its last report of this kind, sent a few times a second. A rank that only
   * serves reports bytes, and no rounds.
   *
   * @param epoch the epoch in progress, from 0
   * @param round number of completed rounds
   * @param samples number of samples trained on
   * @param lossSum sum of the losses of these samples, each before its round's update
   * @param refused number of a stream's records that are not valid samples
   * @param bytesSent bytes sent over all links
   * @param leftOut whether the rank is excluded, and the others continue without it
   * @param absent ranks that are unreachable and that this rank does not wait for
   * @param awaited ranks that this rank waits for, because they are absent and only they have
   *     something that it needs
   * @param recoveries the job's recoveries from failures; empty if there are no new ones
   */
  public record Progress(
      int rank,
      int epoch,
      long round,
      long samples,
      double lossSum,
      long refused,
      long bytesSent,
      boolean leftOut,
      int[] absent,
      Awaited[] awaited,
      Recovery[] recoveries) {

    /** The awaited ranks of a rank that waits for no rank. */
    public static final Awaited[] NOBODY = {};

    /** The recoveries of a report without new recoveries. */
    public static final Recovery[] NO_RECOVERIES = {};
  }

  /**
   * One rank's share of the evaluation at the end of an epoch, with its sums over that epoch. It
   * counts once: the rank, the number of workers and the epoch identify repeated reports.
   *
   * @param workers number of ranks that report, including this one
   * @param epoch the epoch that ended, from 0
   * @param round number of completed rounds
   * @param sums the rank's sums over the epoch, with its score on its share of the test set
   * @param share the rank's share of the test set; none if others have evaluated the epoch without
   *     this rank, which was excluded
   * @param testSetSamples number of samples in all shares together
   */
  public record Evaluated(
      int rank,
      int workers,
      int epoch,
      long round,
      EpochSums sums,
      TestShare share,
      long testSetSamples) {

    /**
     * Returns the part of this report that still counts when the run continues with another number
     * of workers. They divide the test set again, and their count of bytes starts from all bytes
     * sent.
     */
    public Evaluated ofEarlierWorkers() {
      return new Evaluated(
          rank,
          0,
          epoch,
          round,
          sums.withTest(Learner.Score.NONE).withBytesSent(0),
          TestShare.NONE,
          testSetSamples);
    }

    /** Returns whether {@link #ofEarlierWorkers} made this report. */
    public boolean isOfEarlierWorkers() {
      return workers == 0;
    }
  }

  /**
   * Report that a rank has completed all its rounds.
   *
   * @param ranks number of ranks that report so, including this one
   * @param leftOut whether the rank was excluded at the end; its weights are then old ones
   * @param replica score of this rank's own replica on the whole test set, when its last gradient
   *     was computed; none if all replicas are the same
   * @param last score on the rank's share of the test set of the model that all ranks hand over;
   *     none if that model was evaluated before
   * @param digest SHA-256 of the weights that this rank would hand over, as little-endian float32
   * @param sample some of its replica's weights when all gradients are applied, at the same indices
   *     on all ranks: enough to measure how far apart replicas are that need not be identical
   */
  public record Finished(
      int rank,
      int ranks,
      long rounds,
      boolean leftOut,
      Learner.Score replica,
      Learner.Score last,
      byte[] digest,
      float[] sample) {}

  /**
   * A part of the final model, from the first rank of the last view or from the rank that serves
   * the part; or a part of the weights that an epoch was evaluated with, from the first rank.
   *
   * @param epoch the epoch of the weights, from 1; {@link #FINAL} for the final model
   * @param vector 0 for the weights, i for the i-th vector of the updater's state
   * @param vectors number of vectors
   * @param start index of the first value in the vector
   * @param length number of elements of the whole vector
   * @param steps number of steps that the updater has taken
   */
  public record ModelPart(
      int epoch, int vector, int vectors, int start, int length, long steps, float[] values) {

    /** Value of {@code epoch} for the final model. */
    public static final int FINAL = 0;
  }
}
