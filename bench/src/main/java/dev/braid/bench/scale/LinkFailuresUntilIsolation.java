package dev.braid.bench.scale;

import dev.braid.chaos.event.Link;
import dev.braid.chaos.event.Overlay;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Simulates how many random link failures a backup tree survives: Figure 11 of <em>fault-tolerant
 * tree</em> (§6.4). Links fail one after the other, in both directions, until a rank has none left.
 * Further columns show when the first two ranks have no path to each other, which is slightly
 * earlier.
 *
 * <p>Usage: {@code LinkFailuresUntilIsolation [TRIALS [SEED]]}.
 */
public final class LinkFailuresUntilIsolation {

  private static final int MAX_HEIGHT = 7;
  private static final int USAGE = 2;

  /** Mean numbers of failures over all trials. */
  record Means(int ranks, int links, double untilIsolated, double untilParted) {}

  private LinkFailuresUntilIsolation() {}

  /** Prints a line for each height of the tree. */
  public static void main(String[] args) {
    int trials;
    long seed;
    try {
      trials = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
      seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
    } catch (NumberFormatException e) {
      trials = 0;
      seed = 0;
    }
    if (trials < 1 || args.length > 2) {
      System.err.println("usage: LinkFailuresUntilIsolation [TRIALS [SEED]], whole numbers");
      System.exit(USAGE);
    }
    System.out.printf(Locale.ROOT, "# %d trials, seed %d%n", trials, seed);
    System.out.println("height  ranks  links  until a rank has no link  until two have no way");
    for (int height = 1; height <= MAX_HEIGHT; height++) {
      Means m = measure((1 << (height + 1)) - 1, trials, seed);
      System.out.printf(
          Locale.ROOT,
          "%6d  %5d  %5d  %13.2f  %7.1f %%  %11.2f  %6.1f %%%n",
          height,
          m.ranks(),
          m.links(),
          m.untilIsolated(),
          100 * m.untilIsolated() / m.links(),
          m.untilParted(),
          100 * m.untilParted() / m.links());
    }
  }

  static Means measure(int ranks, int trials, long seed) {
    List<Link> links = new ArrayList<>(new Overlay(ranks).links());
    Random random = new Random(seed);
    long isolated = 0;
    long parted = 0;
    for (int trial = 0; trial < trials; trial++) {
      Collections.shuffle(links, random);
      isolated += untilIsolated(links, ranks);
      parted += untilParted(links, ranks);
    }
    return new Means(ranks, links.size(), (double) isolated / trials, (double) parted / trials);
  }

  private static int untilIsolated(List<Link> inOrder, int ranks) {
    int[] linksLeft = new int[ranks];
    for (Link link : inOrder) {
      linksLeft[link.from()]++;
      linksLeft[link.to()]++;
    }
    int failed = 0;
    for (Link link : inOrder) {
      failed++;
      linksLeft[link.from()]--;
      linksLeft[link.to()]--;
      if (linksLeft[link.from()] == 0 || linksLeft[link.to()] == 0) {
        break;
      }
    }
    return failed;
  }

  /**
   * Counts the failures until two ranks have no path, by going backwards: links are restored, the
   * last failed first, until all ranks are connected.
   */
  private static int untilParted(List<Link> inOrder, int ranks) {
    int[] piece = IntStream.range(0, ranks).toArray();
    int pieces = ranks;
    int whole = inOrder.size();
    while (pieces > 1) {
      Link link = inOrder.get(--whole);
      int low = pieceOf(piece, link.from());
      int high = pieceOf(piece, link.to());
      if (low != high) {
        piece[high] = low;
        pieces--;
      }
    }
    // With this link and all later ones the ranks are connected, so the failure of this link
    // separates them.
    return whole + 1;
  }

  private static int pieceOf(int[] piece, int rank) {
    int root = rank;
    while (piece[root] != root) {
      root = piece[root];
    }
    return root;
  }
}
