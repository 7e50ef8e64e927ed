package dev.braid.exchange.coded;

import java.util.Arrays;

/**
 * The round that each rank of a subtree is in, as far as the subtree's root knows. It bounds how
 * far some ranks can be ahead of others.
 *
 * <p>A slow rank enters a round as soon as it has the previous round's sum, and delays no other
 * rank. An unreachable rank enters no further rounds; the rank that would send it sums keeps them.
 */
final class Entries {

  /** Maximum number of rounds whose sums wait for an unreachable rank. */
  static final int MOST_ROUNDS_BEHIND = 8;

  private static final long UNKNOWN = -1;

  /** Round of a rank that computes no gradient and therefore delays no round. */
  private static final long ALWAYS = Long.MAX_VALUE;

  private final int[] below;
  private final long[] ofBelow;
  private final long ownAtFirst;
  private long own;
  private long told = UNKNOWN;

  /** The first round that must not end before all ranks have entered it. */
  private long barrier;

  /**
   * Creates the entries of a rank and the ranks below it.
   *
   * @param below ranks that this rank passes sums on to, ascending
   * @param isWorker whether the rank itself enters rounds
   * @param firstRound the next round
   */
  Entries(int[] below, boolean isWorker, long firstRound) {
    this.below = below;
    this.ownAtFirst = isWorker ? UNKNOWN : ALWAYS;
    this.ofBelow = new long[below.length];
    forget(firstRound);
  }

  /**
   * Notes that the rank itself has entered a round.
   *
   * @param isLastOfEpoch whether the epoch ends with this round, so that all ranks must have
   *     evaluated it before the next round ends
   */
  void enter(long round, boolean isLastOfEpoch) {
    own = round;
    if (isLastOfEpoch) {
      barrier = round + 1;
    }
  }

  /**
   * Notes that a rank directly below, and all ranks below that one, are in a round or in later
   * ones.
   *
   * @param itsBarrier the {@link #barrier} that the rank below knows
   */
  void entered(int rank, long round, long itsBarrier) {
    int index = Arrays.binarySearch(below, rank);
    ofBelow[index] = Math.max(ofBelow[index], round);
    barrier = Math.max(barrier, itsBarrier);
  }

  /** Returns the first round that must not end before all ranks have entered it. */
  long barrier() {
    return barrier;
  }

  /** Returns whether the rank itself is in this round or a later one. */
  boolean isIn(long round) {
    return own >= round;
  }

  /**
   * Returns whether the round that all ranks of the subtree have entered has not been reported yet.
   */
  boolean isNews() {
    return least() > told;
  }

  /**
   * Returns the latest round that all ranks of the subtree have entered, and marks it as reported.
   */
  long news() {
    told = least();
    return told;
  }

  /**
   * Returns whether the round may end, so that its sum may be sent. This rank must have entered it,
   * and no rank may be {@value #MOST_ROUNDS_BEHIND} or more rounds behind. The last round of an
   * epoch and the first round of the next may end only when all ranks have entered them. (Where
   * epochs have a single round, it is both the first and the last of its epoch.)
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
   * Forgets all entries, so that they are reported again. No round ends before all ranks have
   * reported that they are in the next one.
   *
   * @param nextRound the next round
   */
  void forget(long nextRound) {
    own = ownAtFirst;
    told = UNKNOWN;
    Arrays.fill(ofBelow, UNKNOWN);
    barrier = nextRound;
  }
}
