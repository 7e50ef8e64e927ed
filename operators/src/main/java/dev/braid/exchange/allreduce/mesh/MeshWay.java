package dev.braid.exchange.allreduce.mesh;

/**
 * An algorithm, and whether it adds up in groups before it does across them, where there is a
 * choice of that:
 *
 * <ul>
 *   <li>smaller rings side by side, such as those of all columns above a hole, add up their sums in
 *       rings across them and forward one sum; else each forwards its own, over the few links that
 *       go around the hole;
 *   <li>the last rings, of n ranks that have a small shard each, become rings of some neighbours and
 *       rings across these: about 2√n steps in the place of n, for more bytes on each link. A step
 *       waits for what other colours have on its links, maybe a block many times as large: that is
 *       what most of a last ring's time goes by where colours are out of step, as holes make them.
 * </ul>
 *
 * @param isHierarchical whether it does so; else it is the paper's
 */
public record MeshWay(MeshAlgorithm algorithm, boolean isHierarchical) {

  /** As in the paper. */
  public static MeshWay plain(MeshAlgorithm algorithm) {
    return new MeshWay(algorithm, false);
  }

  /** In groups, and across them. */
  public static MeshWay hierarchical(MeshAlgorithm algorithm) {
    return new MeshWay(algorithm, true);
  }
}
