package dev.braid.exchange;

import dev.braid.coding.TreeInUse;

/**
 * What a parent in a coded exchange has made of its workers' answers so far (CodedReduce §III-B).
 * Of a rank that has workers below it in two roles, as a worker and as the master, both together.
 *
 * @param stragglers workers below it who had not answered when a round's sum was there, over all
 *     rounds that have ended
 * @param lateMessages answers, a chunk each, that came when they were not needed any more
 * @param decodedSets how many different sets of workers the sums of rounds were made of
 * @param sums how many rounds' sums were made here
 * @param sumNanos time from the last that such a sum needed to the end of its round, over all
 *     rounds; the last is an answer, or, where that comes later, the rank's own gradient
 * @param waitNanos how long such sums waited for answers when the rank's own gradient was there,
 *     over all rounds; at a rank without one, from the first answer. Long where more are late than
 *     the code stands
 * @param messageSeconds how long it takes to receive one answer, t_c; 0 while it is not known, as
 *     where a vector is one chunk
 * @param tree of the round that has ended last, where trees are chosen anew
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

  /** Of a rank with nobody below it. */
  public static final DecodingUse NONE = new DecodingUse(0, 0, 0, 0, 0, 0, 0);

  /** In a tree that stays as it is. */
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

  /** The same, after what was made in another tree, and now in this one. */
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
