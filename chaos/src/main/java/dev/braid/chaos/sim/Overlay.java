package dev.braid.chaos.sim;

import dev.braid.topology.BackupTree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Questions about the links of a backup tree of which some are cut. */
final class Overlay {

  /** Two ranks that can reach each other where the link between them is whole. */
  record Pair(int low, int high) {}

  private final int ranks;
  private final List<Pair> pairs = new ArrayList<>();
  private final List<int[]> neighbours = new ArrayList<>();

  Overlay(int ranks) {
    this.ranks = ranks;
    BackupTree tree = new BackupTree(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      neighbours.add(tree.neighbours(rank));
      for (int other : tree.neighbours(rank)) {
        if (rank < other) {
          pairs.add(new Pair(rank, other));
        }
      }
    }
  }

  int ranks() {
    return ranks;
  }

  /** Its links, each once for both ways. */
  List<Pair> pairs() {
    return pairs;
  }

  /**
   * Whether every rank has a way to every other.
   *
   * @param cut by sender and receiver: whether that way of a link is cut
   */
  boolean isConnected(boolean[][] cut) {
    return reaches(cut, false) == ranks && reaches(cut, true) == ranks;
  }

  /** How many ranks rank 0 has a way to, or, backwards, how many have one to it. */
  private int reaches(boolean[][] cut, boolean backwards) {
    BitSet reached = new BitSet();
    BitSet open = new BitSet();
    open.set(0);
    while (!open.isEmpty()) {
      int rank = open.nextSetBit(0);
      open.clear(rank);
      reached.set(rank);
      for (int other : neighbours.get(rank)) {
        boolean isCut = backwards ? cut[other][rank] : cut[rank][other];
        if (!reached.get(other) && !isCut) {
          open.set(other);
        }
      }
    }
    return reached.cardinality();
  }
}
