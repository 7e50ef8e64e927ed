package dev.braid.chaos.sim;

import dev.braid.topology.BackupTree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiPredicate;

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

  /** Its links, each once for both ways. */
  List<Pair> pairs() {
    return pairs;
  }

  /** Whether every rank has a way to every other. */
  boolean isConnected(BiPredicate<Integer, Integer> isCut) {
    return ranks == 1
        || (reaches(isCut) == ranks && reaches((from, to) -> isCut.test(to, from)) == ranks);
  }

  /** How many ranks rank 0 has a way to. */
  private int reaches(BiPredicate<Integer, Integer> isCut) {
    BitSet reached = new BitSet();
    BitSet open = new BitSet();
    open.set(0);
    while (!open.isEmpty()) {
      int rank = open.nextSetBit(0);
      open.clear(rank);
      reached.set(rank);
      for (int to : neighbours.get(rank)) {
        if (!reached.get(to) && !isCut.test(rank, to)) {
          open.set(to);
        }
      }
    }
    return reached.cardinality();
  }
}
