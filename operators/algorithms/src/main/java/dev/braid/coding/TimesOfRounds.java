package dev.braid.coding;

import java.util.Arrays;

/**
 * The times that a worker would need for all samples of a round: the time of each gradient, divided
 * by the share of the round's samples that the gradient was computed from. Of many gradients at
 * most {@value #KEPT} are kept, evenly spread over the epoch.
 */
public final class TimesOfRounds {

  private static final int KEPT = 256;

  /**
   * Maximum number of times that a worker reports. If a tenth of all gradients take longer, three
   * of the reported times are such gradients.
   */
  public static final int QUANTILES = 32;

  private static final double NANOS_PER_SECOND = 1e9;

  private final double[] nanos = new double[KEPT];
  private int kept;

  /** Number of gradients of which one is kept. */
  private long every = 1;

  private long seen;

  /**
   * Adds the time of a gradient.
   *
   * @param nanosOfAll time that all samples of the round would have taken, in nanoseconds
   */
  public void add(double nanosOfAll) {
    if (seen++ % every != 0) {
      return;
    }
    if (kept == KEPT) {
      kept /= 2;
      for (int i = 0; i < kept; i++) {
        nanos[i] = nanos[2 * i];
      }
      every *= 2;
      if ((seen - 1) % every != 0) {
        return;
      }
    }
    nanos[kept++] = nanosOfAll;
  }

  /**
   * Returns at most {@code most} equally likely times in seconds, ascending; empty if none are
   * known.
   */
  public double[] quantiles(int most) {
    double[] sorted = Arrays.copyOf(nanos, kept);
    Arrays.sort(sorted);
    double[] quantiles = new double[Math.min(kept, Math.min(most, QUANTILES))];
    for (int i = 0; i < quantiles.length; i++) {
      int at = (int) ((2L * i + 1) * kept / (2L * quantiles.length));
      quantiles[i] = sorted[at] / NANOS_PER_SECOND;
    }
    return quantiles;
  }
}
