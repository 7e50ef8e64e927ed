package dev.braid.exchange.sharing;

import dev.braid.topology.RegularTree;
import java.util.Locale;

/** How ranks are linked that relay each other's updates. */
public enum SharingMode {
  /** What suits the number of ranks. */
  AUTO,
  /** All to a master, and from it to all others. */
  PLAIN,
  /** Along a tree, in all directions. */
  MESH;

  /** From so many on a master that relays all is the bottleneck. */
  static final int LEAST_RANKS_OF_MESH = 32;

  /** Below each rank of a mesh, at most. */
  static final int MESH_CHILDREN = 8;

  /** How deep a mesh is at most, the master's own level counted. */
  static final int MESH_LEVELS = 5;

  /** The mode among so many ranks: plain, or mesh. */
  SharingMode of(int ranks) {
    if (this != AUTO) {
      return this;
    }
    return ranks < LEAST_RANKS_OF_MESH ? PLAIN : MESH;
  }

  /** How many children a rank has at most. */
  int children(int ranks) {
    return of(ranks) == PLAIN ? Math.max(1, ranks - 1) : MESH_CHILDREN;
  }

  /** How many ranks a mesh has room for. */
  static int mostRanksOfMesh() {
    // The master is no worker of the tree's.
    return 1 + RegularTree.ofLayers(MESH_CHILDREN, MESH_LEVELS - 1).workers();
  }

  /** As it is typed. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
