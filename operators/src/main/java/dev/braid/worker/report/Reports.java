package dev.braid.worker.report;

import dev.braid.exchange.Measured.Awaited;
import dev.braid.learner.Learner;
import dev.braid.learner.math.MathKernels;
import dev.braid.loop.coordinator.Recovery;

/**
 * What a worker tells the rest of the job, as records that Flink serialises by their components,
 * but for those with large arrays ({@link ModelPartSerializer}).
 */
public final class Reports {

  private Reports() {}

  /**
   * A worker begins, for the first time or after a restart.
   *
   * @param workers how many there are
   * @param host where, for people
   * @param chunkLength values that a message carries at most
   * @param kernels what decides the bits of its gradients
   */
  public record Began(int rank, int workers, String host, int chunkLength, MathKernels kernels) {}

  /**
   * The samples of one finished round at one rank, for the ledger.
   *
   * @param epoch from 0
   * @param round from 0
   */
  public record Usage(int epoch, long round, int rank, int[] sampleIds) {}

  /**
   * The offsets of one finished round at one rank, for the ledger of a stream; element i of each
   * array is about range i.
   *
   * @param round from 0
   * @param partitions partitions of the ranges
   * @param starts their first offsets
   * @param ends the offsets behind their last ones
   * @param samples records that the rank trained on
   * @param heldOut records that it only scored
   * @param refused records that are no samples
   */
  public record OffsetUse(
      long round,
      int rank,
      long[] partitions,
      long[] starts,
      long[] ends,
      int samples,
      int heldOut,
      int refused) {}

  /**
   * One rank's sums since its last report of this kind, sent a few times a second. A rank that only
   * serves has bytes to report, and no rounds.
   *
   * @param epoch the epoch under way, from 0
   * @param round rounds complete
   * @param samples samples trained on
   * @param lossSum the sum of their losses, before each one's update
   * @param refused records of a stream that are no samples
   * @param bytesSent over all links
   * @param leftOut whether the rank is cut off, and others go on without it
   * @param absent ranks that it goes on without at its own pace, as they cannot be reached
   * @param awaited ranks that it waits for, as they are away and alone have what it needs
   * @param recoveries how the job has come through failures; none where there is nothing new
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

    /** No rank is waited for. */
    public static final Awaited[] NOBODY = {};

    /** Nothing new. */
    public static final Recovery[] NO_RECOVERIES = {};
  }

  /**
   * One rank's share of the evaluation at the end of an epoch, with its sums over that epoch. It
   * counts once: rank, workers and epoch tell whether it was reported before.
   *
   * @param workers how many ranks report, this one among them
   * @param epoch the epoch that ended, from 0
   * @param round rounds complete
   * @param test on its share of the test set
   * @param trainNanos time that the epoch's rounds took at this rank
   * @param rounds what they add up to
   * @param part which of equal parts of the test set this is, from 0
   * @param parts how many ranks evaluate a part; 0 where they have done so without this one, as it
   *     was cut off
   * @param testSetSamples of all parts together
   * @param missedSamples samples that were not used, as their rounds went without this rank
   */
  public record Evaluated(
      int rank,
      int workers,
      int epoch,
      long round,
      Learner.Score test,
      long trainSamples,
      double trainLossSum,
      long trainNanos,
      long bytesSent,
      RoundSums rounds,
      int part,
      int parts,
      long testSetSamples,
      long missedSamples) {

    /**
     * What counts of it where the run goes on with another number of workers: they share the test
     * set anew, and go on counting bytes from all that was sent.
     */
    public Evaluated ofEarlierWorkers() {
      return new Evaluated(
          rank,
          0,
          epoch,
          round,
          Learner.Score.NONE,
          trainSamples,
          trainLossSum,
          trainNanos,
          0,
          rounds,
          0,
          0,
          testSetSamples,
          missedSamples);
    }

    /** Whether it is what {@link #ofEarlierWorkers} made of a report. */
    public boolean isOfEarlierWorkers() {
      return workers == 0;
    }
  }

  /**
   * A rank has done all its rounds.
   *
   * @param ranks how many say so, this one among them
   * @param leftOut whether it was cut off in the end: then its weights are old ones
   * @param replica what its replica alone has on the whole test set, when its last gradient was
   *     computed; nothing where replicas are the same anyway
   * @param last what the model that all hand over has on its share of the test set; nothing where
   *     that was evaluated before
   * @param digest SHA-256 of the weights that it would hand over, as little-endian float32
   * @param sample some of its replica's weights when it has all gradients, the same ones at all
   *     ranks: enough to say how far apart replicas are that need not be identical
   * @param secondsOfAll how long the rank would take for all samples of a round, from the least to
   *     the most, each as likely as the others, since the job began or was restarted
   * @param messageSeconds how long it takes to receive a vector here; 0 where it is not known
   */
  public record Finished(
      int rank,
      int ranks,
      long rounds,
      boolean leftOut,
      Learner.Score replica,
      Learner.Score last,
      byte[] digest,
      float[] sample,
      double[] secondsOfAll,
      double messageSeconds) {

    /** Of a rank whose times are not known. */
    public Finished(
        int rank,
        int ranks,
        long rounds,
        boolean leftOut,
        Learner.Score replica,
        Learner.Score last,
        byte[] digest,
        float[] sample) {
      this(rank, ranks, rounds, leftOut, replica, last, digest, sample, new double[0], 0);
    }
  }

  /**
   * A part of the final model, from the first rank of the last view, or from the one that serves
   * it; or of the weights that an epoch was evaluated with, from the first rank.
   *
   * @param epoch the epoch that it is of, from 1; {@link #FINAL} for the final model
   * @param vector 0 for the weights, i for the i-th vector of the updater's state
   * @param vectors how many vectors there are
   * @param start index of the first value in the vector
   * @param length elements of the whole vector
   * @param steps steps that the updater has taken
   */
  public record ModelPart(
      int epoch, int vector, int vectors, int start, int length, long steps, float[] values) {

    /** In the place of an epoch. */
    public static final int FINAL = 0;
  }
}
