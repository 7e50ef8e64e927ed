package dev.braid.exchange.coded;

import java.util.Arrays;

/**
 * Which round each rank of a subtree is in, as its root knows: what bounds how far some may be
 * ahead of others.
 *
 * <p>A rank that computes slowly enters a round as soon as it has the sum of the one before, and
 * keeps nobody waiting. One that cannot be reached does not: who has its sums to send keeps them.
 */
final class Entries {

  /** So many rounds' sums may wait for a rank that they do not reach. */
  static final int MOST_ROUNDS_BEHIND = 8;

  private static final long UNKNOWN = -1;

  /** Of a rank that computes nothing, and is in the way of no round. */
  private static final long ALWAYS = Long.MAX_VALUE;

  private final int[] below;
  private final long[] ofBelow;
  private final long ownAtFirst;
  private long own;
  private long told = UNKNOWN;

  /** The first round that is not to end before all have entered it. */
  private long barrier;

  /**
   * Of a rank and those below it.
   *
   * @param below to whom sums are passed on, ascending
   * @param isWorker whether the rank itself enters rounds
   * @param firstRound the next one
   */
  Entries(int[] below, boolean isWorker, long firstRound) {
    this.below = below;
    this.ownAtFirst = isWorker ? UNKNOWN : ALWAYS;
    this.ofBelow = new long[below.length];
    forget(firstRound);
  }

  /**
   * The rank itself is in a round.
   *
   * @param isLastOfEpoch whether all have to have evaluated an epoch before the next round ends
   */
  void enter(long round, boolean isLastOfEpoch) {
    own = round;
    if (isLastOfEpoch) {
      barrier = round + 1;
    }
  }

  /**
   * All ranks below one of those below are in a round, or in later ones.
   *
   * @param itsBarrier what is known there of {@link #barrier}
   */
  void entered(int rank, long round, long itsBarrier) {
    int index = Arrays.binarySearch(below, rank);
    ofBelow[index] = Math.max(ofBelow[index], round);
    barrier = Math.max(barrier, itsBarrier);
  }

  /** The first round that is not to end before all have entered it. */
  long barrier() {
    return barrier;
  }

  /** Whether the rank itself is in this round. */
  boolean isIn(long round) {
    return own >= round;
  }

  /** Which round all of them are in, or in later ones, if that was not told before. */
  boolean isNews() {
    return least() > told;
  }

  /** What is to be told now. */
  long news() {
    told = least();
    return told;
  }

  /**
   * Whether the sum of a round may be handed out. For the last round of an epoch all have to be in
   * it: where epochs have one round, it is the first round of its epoch, too.
   */
  boolean mayEnd(long round) {
    long nearEnough = round - MOST_ROUNDS_BEHIND + 1;
    boolean isInMidst = round < barrier - 1;
    return isIn(round)
        && least() >= (isInMidst ? nearEnough : Math.max(nearEnough, Math.min(round, barrier)));
  }

  private long least() {
    return Math.min(own, Arrays.stream(ofBelow).min().orElse(Long.MAX_VALUE));
  }

  /**
   * Who is where is told anew, and no round ends before all have told that they are in the next.
   */
  void forget(long nextRound) {
    own = ownAtFirst;
    told = UNKNOWN;
    Arrays.fill(ofBelow, UNKNOWN);
    barrier = nextRound;
  }
}
