package dev.braid.chaos.event;

import dev.braid.topology.BackupTree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/** Questions about the links of a backup tree of which some are cut. */
public final class Overlay {

  private final int ranks;
  private final List<Link> links = new ArrayList<>();
  private final List<int[]> neighbours = new ArrayList<>();

  /** The overlay of the fault-tolerant tree among this many ranks. */
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

  /** Its links, each once for both ways, from the lower rank to the higher. */
  public List<Link> links() {
    return List.copyOf(links);
  }

  /** Whether every rank has a way to every other where these are cut, each direction for itself. */
  boolean isConnected(Set<Link> cut) {
    return reaches(cut, false) == ranks && reaches(cut, true) == ranks;
  }

  /** How many ranks rank 0 has a way to, or, backwards, how many have one to it. */
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
