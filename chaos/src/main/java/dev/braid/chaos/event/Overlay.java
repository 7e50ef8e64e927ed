package dev.braid.chaos.event;

import dev.braid.topology.BackupTree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/** Links of a backup tree, and its connectivity when some of them are cut. */
public final class Overlay {

  private final int ranks;
  private final List<Link> links = new ArrayList<>();
  private final List<int[]> neighbours = new ArrayList<>();

  /** Creates the overlay of the fault-tolerant tree for a number of ranks. */
  public Overlay(int ranks) {
    this.ranks = ranks;
    BackupTree tree = new BackupTree(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      neighbours.add(tree.neighbours(rank));
      for (int other : tree.neighbours(rank)) {
        if (rank < other) {
          links.add(new Link(rank, other));
        }
      }
    }
  }

  /** Returns the links, each once for both directions, from the lower rank to the higher. */
  public List<Link> links() {
    return List.copyOf(links);
  }

  /** Returns whether every rank has a path to every other if these directed links are cut. */
  boolean isConnected(Set<Link> cut) {
    return reaches(cut, false) == ranks && reaches(cut, true) == ranks;
  }

  /**
   * Returns the number of ranks to which rank 0 has a path or, backwards, that have one to rank 0.
   */
  private int reaches(Set<Link> cut, boolean backwards) {
    BitSet reached = new BitSet();
    BitSet open = new BitSet();
    open.set(0);
    while (!open.isEmpty()) {
      int rank = open.nextSetBit(0);
      open.clear(rank);
      reached.set(rank);
      for (int other : neighbours.get(rank)) {
        Link link = backwards ? new Link(other, rank) : new Link(rank, other);
        if (!reached.get(other) && !cut.contains(link)) {
          open.set(other);
        }
      }
    }
    return reached.cardinality();
  }
}
