package dev.braid.coding;

import java.util.Arrays;

/**
 * How long a worker would take for all samples of a round: the time of each gradient, divided by
 * the share of the round's samples that it was of. Of many, so many are kept, evenly spread over
 * the run.
 */
public final class TimesOfRounds {

  private static final int KEPT = 256;

  /** How many are told at most: three of them of a tenth of all gradients, if these take longer. */
  public static final int QUANTILES = 32;

  private static final double NANOS_PER_SECOND = 1e9;

  private final double[] nanos = new double[KEPT];
  private int kept;

  /** Every so many is kept. */
  private long every = 1;

  private long seen;

  /** Another gradient. */
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

  /** Seconds from the least to the most, each as likely as the others; none if none are known. */
  public double[] quantiles() {
    return quantiles(QUANTILES);
  }

  /** The same, and no more than so many. */
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
