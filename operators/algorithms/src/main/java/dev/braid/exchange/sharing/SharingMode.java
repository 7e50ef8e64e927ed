package dev.braid.exchange.sharing;

import dev.braid.topology.RegularTree;
import java.util.Locale;

/** The links between ranks that relay each other's updates. */
public enum SharingMode {
  /** Plain or mesh, depending on the number of ranks. */
  AUTO,
  /** Every rank sends to a master, which relays to all others. */
  PLAIN,
  /** Updates travel along a tree, in all directions. */
  MESH;

  /**
   * Minimum number of ranks for {@link #AUTO} to choose a mesh: from this number on a master that
   * relays everything is the bottleneck.
   */
  static final int LEAST_RANKS_OF_MESH = 32;

  /** Maximum number of children of each rank in a mesh. */
  static final int MESH_CHILDREN = 8;

  /** Maximum number of levels of a mesh, including the master's. */
  static final int MESH_LEVELS = 5;

  /** Returns the mode for the given number of ranks: {@link #PLAIN} or {@link #MESH}. */
  SharingMode of(int ranks) {
    if (this != AUTO) {
      return this;
    }
    return ranks < LEAST_RANKS_OF_MESH ? PLAIN : MESH;
  }

  /** Returns the maximum number of children of a rank. */
  int children(int ranks) {
    return of(ranks) == PLAIN ? Math.max(1, ranks - 1) : MESH_CHILDREN;
  }

  /** Returns the maximum number of ranks of a mesh. */
  static int mostRanksOfMesh() {
    // The master is not one of the tree's workers.
    return 1 + RegularTree.ofLayers(MESH_CHILDREN, MESH_LEVELS - 1).workers();
  }

  /** Returns the option's value for this mode. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
