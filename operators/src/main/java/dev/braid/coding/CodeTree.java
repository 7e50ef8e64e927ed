package dev.braid.coding;

import dev.braid.topology.RegularTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A tree with a code at each parent (CodedReduce §III-A): the same n and s everywhere but where a
 * parent of the last layers has fewer children, who can bear one straggler fewer than they are.
 */
public final class CodeTree {

  private final RegularTree tree;
  private final int stragglers;

  /** By parent, from the master on. */
  private final List<int[]> children = new ArrayList<>();

  /** By the number of children: parents with equally many share what their code has worked out. */
  private final Map<Integer, GradientCode> codes = new HashMap<>();

  /**
   * A code for each parent of a tree.
   *
   * @param tree who is whose parent
   * @param stragglers s, whom a parent with n children does not wait for
   */
  public CodeTree(RegularTree tree, int stragglers) {
    this(tree, stragglers, GradientCode::of);
  }

  /** The same with codes of another kind. */
  CodeTree(RegularTree tree, int stragglers, CodeOf code) {
    int most = Math.min(tree.children(), tree.workers()) - 1;
    if (stragglers < 0 || stragglers > most) {
      throw new IllegalArgumentException(
          "%d stragglers below each parent of %d: from 0 to %d are possible"
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

  /** The code of a parent with so many children. */
  interface CodeOf {
    GradientCode of(int children, int stragglers);
  }

  /** Who is whose parent. */
  public RegularTree tree() {
    return tree;
  }

  /** Whom a parent with n children does not wait for, s. */
  public int stragglers() {
    return stragglers;
  }

  /** The children of a worker or of the master, as in the tree; not to be changed. */
  public int[] childrenOf(int parent) {
    return children.get(parent - RegularTree.MASTER);
  }

  /** The code of a worker's children, or of the master's; there must be some. */
  public GradientCode codeOf(int parent) {
    return codes.get(childrenOf(parent).length);
  }

  /**
   * Whether the sum at the master has the same bits whoever straggles: children of the same part
   * add up the same gradients, and in the same order, as their subtrees are alike.
   */
  public boolean isRepetition() {
    return codes.values().stream().allMatch(RepetitionCode.class::isInstance)
        && standInsAreAlike(RegularTree.MASTER);
  }

  /** How many children the largest cyclic code of the tree has; 0 where there is none. */
  public int largestCyclicCode() {
    return codes.values().stream().mapToInt(GradientCode::cyclicChildren).max().orElse(0);
  }

  /** Whether children who may stand in for each other have subtrees of one form, at all parents. */
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
   * Which share of the samples a worker computes, r: 1 / Σ (n/(s+1))^l over the layers (Theorem 1,
   * eq. 5), which is the least possible. Where the last layer has gaps, that of the workers who
   * compute most, when each subtree spreads what it is handed as evenly as it can.
   */
  public double load() {
    return 1 / handedOut(RegularTree.MASTER);
  }

  /** How many shares of r the children of a parent are handed: each of them equally many. */
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
