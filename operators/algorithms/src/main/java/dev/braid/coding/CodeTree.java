package dev.braid.coding;

import dev.braid.topology.RegularTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A tree with a code at each parent (CodedReduce §III-A). All codes have the same n and s, except
 * where a parent in the last layers has fewer children: it tolerates at most one straggler fewer
 * than it has children.
 */
public final class CodeTree {

  private final RegularTree tree;
  private final int stragglers;

  /** Children by parent, starting with the master. */
  private final List<int[]> children = new ArrayList<>();

  /**
   * Codes by number of children. Parents with equally many children share a code, and thereby the
   * decodings that it keeps.
   */
  private final Map<Integer, GradientCode> codes = new HashMap<>();

  /**
   * Creates a code for each parent of a tree.
   *
   * @param stragglers s, the number of its n children that a parent does not wait for
   * @throws IllegalArgumentException unless {@code 0 ≤ s < n}
   */
  public CodeTree(RegularTree tree, int stragglers) {
    this(tree, stragglers, GradientCode::of);
  }

  /** Creates a tree with codes of the given kind. */
  CodeTree(RegularTree tree, int stragglers, CodeOf code) {
    int most = Math.min(tree.children(), tree.workers()) - 1;
    if (stragglers < 0 || stragglers > most) {
      throw new IllegalArgumentException(
          "%d stragglers below each parent of %d children: must be 0 to %d"
              .formatted(stragglers, most + 1, most));
    }
    this.tree = tree;
    this.stragglers = stragglers;
    for (int parent = RegularTree.MASTER; parent < tree.workers(); parent++) {
      int[] below = tree.childrenOf(parent);
      children.add(below);
      if (below.length > 0) {
        codes.computeIfAbsent(
            below.length, count -> code.of(count, Math.min(stragglers, count - 1)));
      }
    }
  }

  /** The factory of a code for the given number of children and stragglers. */
  interface CodeOf {
    GradientCode of(int children, int stragglers);
  }

  /** Returns the tree of workers. */
  public RegularTree tree() {
    return tree;
  }

  /** Returns s, the number of its n children that a parent does not wait for. */
  public int stragglers() {
    return stragglers;
  }

  /**
   * Returns the children of a worker or of the master, ascending; callers must not change the
   * array.
   */
  public int[] childrenOf(int parent) {
    return children.get(parent - RegularTree.MASTER);
  }

  /** Returns the code of a worker or of the master, which must have children. */
  public GradientCode codeOf(int parent) {
    return codes.get(childrenOf(parent).length);
  }

  /**
   * Returns whether the master's sum has the same bits regardless of stragglers. This is so if
   * children of the same part add the same gradients in the same order, because their subtrees are
   * alike.
   */
  public boolean isRepetition() {
    return codes.values().stream().allMatch(RepetitionCode.class::isInstance)
        && standInsAreAlike(RegularTree.MASTER);
  }

  /** Returns the number of children of the tree's largest cyclic code; 0 if the tree has none. */
  public int largestCyclicCode() {
    return codes.values().stream().mapToInt(GradientCode::cyclicChildren).max().orElse(0);
  }

  /**
   * Returns whether, at all parents of a subtree, children that can stand in for each other have
   * subtrees of the same form.
   */
  private boolean standInsAreAlike(int parent) {
    int[] below = childrenOf(parent);
    int parts = below.length == 0 ? 1 : codeOf(parent).parts();
    for (int i = 0; i < below.length; i++) {
      if (!areAlike(below[i % parts], below[i]) || !standInsAreAlike(below[i])) {
        return false;
      }
    }
    return true;
  }

  private boolean areAlike(int one, int other) {
    int[] belowOne = childrenOf(one);
    int[] belowOther = childrenOf(other);
    boolean alike = belowOne.length == belowOther.length;
    for (int i = 0; alike && i < belowOne.length; i++) {
      alike = areAlike(belowOne[i], belowOther[i]);
    }
    return alike;
  }

  /**
   * Returns r, the share of a round's samples that a worker computes: 1 / Σ (n/(s+1))^l over the
   * layers l (Theorem 1, eq. 5), which is the least possible. If the last layer has gaps, this is
   * the share of the workers that compute most, when each subtree spreads its samples as evenly as
   * possible.
   */
  public double load() {
    return 1 / handedOut(RegularTree.MASTER);
  }

  /**
   * Returns how many shares of size r a parent hands out to its children, each of which gets
   * equally many.
   */
  private double handedOut(int parent) {
    int[] below = childrenOf(parent);
    if (below.length == 0) {
      return 0;
    }
    double least = Double.POSITIVE_INFINITY;
    for (int child : below) {
      least = Math.min(least, 1 + handedOut(child));
    }
    GradientCode code = codeOf(parent);
    return least * code.parts() / code.partsOfEach();
  }
}
