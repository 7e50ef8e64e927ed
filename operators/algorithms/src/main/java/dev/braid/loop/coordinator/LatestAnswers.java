package dev.braid.loop.coordinator;

import java.util.BitSet;

/** The members that have answered for the newest checkpoint for which there is an answer. */
public final class LatestAnswers {

  private final int ranks;
  private final BitSet answered = new BitSet();
  private long checkpoint;

  public LatestAnswers(int ranks) {
    this.ranks = ranks;
  }

  /** Adds an answer. Returns true if all members have answered for this checkpoint. */
  public boolean areAllWith(int rank, long forCheckpoint) {
    if (forCheckpoint > checkpoint) {
      checkpoint = forCheckpoint;
      answered.clear();
    }
    if (forCheckpoint < checkpoint) {
      return false;
    }
    answered.set(rank);
    return answered.cardinality() == ranks;
  }
}
