package dev.braid.coding;

import dev.braid.topology.RegularTree;
import java.util.function.IntPredicate;

/**
 * The number of samples that each worker keeps of those handed to its subtree. The largest load is
 * as small as possible, and then the smallest load is as large as possible.
 *
 * <p>With loads between two bounds, the samples that a subtree can spread form an interval. It is
 * computed from the last layer upwards. Where s + 1 divides n and the last layer is full, loads
 * differ by at most one sample. In other trees some numbers of samples do not allow that. For
 * example, a parent of 3 children that tolerates 1 straggler hands out each sample twice. An odd
 * number of samples makes one child's share larger by one, and again in each layer.
 */
final class Loads {

  private final CodeTree codes;
  private final int samples;

  /** By worker: smallest and largest number of samples that can be handed out to its children. */
  private final int[] leastLeft;

  private final int[] mostLeft;

  private int least;
  private int most;

  Loads(CodeTree codes, int samples) {
    this.codes = codes;
    this.samples = samples;
    this.leastLeft = new int[codes.tree().workers()];
    this.mostLeft = new int[codes.tree().workers()];
    this.most = firstWith(0, samples, bound -> fits(0, bound));
    int tooMuch = firstWith(0, most + 1, bound -> bound > most || !fits(bound, most));
    this.least = tooMuch - 1;
    fits(least, most);
  }

  /**
   * Returns the first number of a range that meets a condition, by binary search. All later numbers
   * must meet it too, and so must the last.
   */
  private static int firstWith(int from, int to, IntPredicate meets) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = low + (high - low) / 2;
      if (meets.test(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /**
   * Returns whether all samples can be spread with loads between these bounds; records how many
   * samples subtrees can take.
   */
  private boolean fits(int leastLoad, int mostLoad) {
    Interval all = left(RegularTree.MASTER, leastLoad, mostLoad);
    return all.least <= samples && samples <= all.most;
  }

  /** Returns the numbers of samples that can be handed out to the children of a parent. */
  private Interval left(int parent, int leastLoad, int mostLoad) {
    int[] children = codes.childrenOf(parent);
    if (children.length == 0) {
      return new Interval(0, 0);
    }
    long leastOfEach = 0;
    long mostOfEach = Long.MAX_VALUE;
    for (int child : children) {
      Interval below = left(child, leastLoad, mostLoad);
      leastLeft[child] = (int) below.least;
      mostLeft[child] = (int) below.most;
      leastOfEach = Math.max(leastOfEach, leastLoad + below.least);
      mostOfEach = Math.min(mostOfEach, mostLoad + below.most);
      if (below.least > below.most) {
        mostOfEach = -1;
      }
    }
    GradientCode code = codes.codeOf(parent);
    int parts = code.parts();
    int ofEach = code.partsOfEach();
    return new Interval(
        Math.min(samples + 1L, -Math.floorDiv(-leastOfEach * parts, (long) ofEach)),
        Math.min(samples + 1L, Math.floorDiv(mostOfEach * parts, (long) ofEach)));
  }

  private record Interval(long least, long most) {}

  /** Returns how many of the samples handed to its subtree a worker keeps. */
  int own(int worker, int handed) {
    int from = Math.max(least, handed - mostLeft[worker]);
    int to = Math.min(most, handed - leastLeft[worker]);
    int middle = (least + most) / 2;
    return Math.max(from, Math.min(to, middle));
  }

  int most() {
    return most;
  }
}
