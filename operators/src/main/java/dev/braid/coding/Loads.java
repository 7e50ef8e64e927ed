package dev.braid.coding;

import dev.braid.topology.RegularTree;
import java.util.function.IntPredicate;

/**
 * How many of the samples that its subtree is handed each worker keeps: so that the largest load is
 * the least possible, and then the smallest the largest.
 *
 * <p>A subtree can spread so many samples, and no fewer, with loads between two bounds: an
 * interval, from below. Where s + 1 divides n, and the last layer is full, loads differ by one
 * sample at most. Else there are numbers of samples for which they cannot: a parent of 3 who stands
 * 1 straggler hands out each sample twice, so an odd number makes some child's share one larger,
 * and so again in each layer.
 */
final class Loads {

  private final CodeTree codes;
  private final int samples;

  /** By worker: what the children of a parent may be left with, at least and at most. */
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

  /** The first number of a range that meets what all later ones meet, and the last one does. */
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

  /** Whether all samples can be spread with loads between these; notes what subtrees can take. */
  private boolean fits(int leastLoad, int mostLoad) {
    Interval all = left(RegularTree.MASTER, leastLoad, mostLoad);
    return all.least <= samples && samples <= all.most;
  }

  /** What can be handed out to the children of a parent. */
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

  /** How many a worker keeps of those that its subtree is handed. */
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
