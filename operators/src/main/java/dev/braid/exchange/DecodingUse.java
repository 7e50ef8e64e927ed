package dev.braid.exchange;

import dev.braid.coding.TreeInUse;

/**
 * Decoding statistics of a parent in a coded exchange since the start (CodedReduce §III-B). A rank
 * that is a parent in two roles, as a worker and as the master, reports the sum of both.
 *
 * @param stragglers number of child workers that had not answered when a round's sum was complete,
 *     summed over all finished rounds
 * @param lateMessages number of answers, one chunk each, that arrived after they were needed
 * @param decodedSets number of different sets of workers from which round sums were decoded
 * @param sums number of round sums computed at this rank
 * @param sumNanos time in nanoseconds from the last input that a sum needed to the end of its
 *     round, summed over all rounds; the last input is an answer or the rank's own gradient,
 *     whichever arrives later
 * @param waitNanos time in nanoseconds that sums waited for answers after the rank's own gradient
 *     was ready, summed over all rounds; at a rank without a gradient, counted from the first
 *     answer. Long if more workers are late than the code tolerates
 * @param messageSeconds t_c, the time in seconds to receive one answer; 0 if unknown, for example
 *     if the vector is a single chunk
 * @param tree the tree of the last finished round, for exchanges that choose trees repeatedly
 */
public record DecodingUse(
    long stragglers,
    long lateMessages,
    int decodedSets,
    long sums,
    long sumNanos,
    long waitNanos,
    double messageSeconds,
    TreeInUse tree) {

  /** Statistics of a rank without children. */
  public static final DecodingUse NONE = new DecodingUse(0, 0, 0, 0, 0, 0, 0);

  /** Creates the statistics of an exchange with a fixed tree. */
  public DecodingUse(
      long stragglers,
      long lateMessages,
      int decodedSets,
      long sums,
      long sumNanos,
      long waitNanos,
      double messageSeconds) {
    this(
        stragglers,
        lateMessages,
        decodedSets,
        sums,
        sumNanos,
        waitNanos,
        messageSeconds,
        TreeInUse.NONE);
  }

  /** Returns these statistics plus those of the trees used before, with the current tree. */
  public DecodingUse after(DecodingUse before, TreeInUse now) {
    return new DecodingUse(
        before.stragglers + stragglers,
        before.lateMessages + lateMessages,
        before.decodedSets + decodedSets,
        before.sums + sums,
        before.sumNanos + sumNanos,
        before.waitNanos + waitNanos,
        messageSeconds > 0 ? messageSeconds : before.messageSeconds,
        now);
  }
}
