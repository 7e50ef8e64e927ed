package dev.braid.loop.coordinator;

import java.util.BitSet;

/** Who has answered for the newest checkpoint that anybody has answered for. */
public final class LatestAnswers {

  private final int ranks;
  private final BitSet answered = new BitSet();
  private long checkpoint;

  public LatestAnswers(int ranks) {
    this.ranks = ranks;
  }

  /** Notes an answer; true if all have now answered for this checkpoint. */
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
