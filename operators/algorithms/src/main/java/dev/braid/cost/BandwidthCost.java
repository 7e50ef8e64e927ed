package dev.braid.cost;

/**
 * Number of gradient partitions that suits a network's bandwidth (Ako §3.2).
 *
 * <p>For every gradient, a worker sends one of p partitions to each of the n − 1 others, which
 * takes γ·m·(n − 1)/p bytes per second. With too few partitions, messages queue up and arrive later
 * and later. With too many, bandwidth is idle and a gradient takes more rounds than necessary to
 * reach all workers.
 */
public final class BandwidthCost {

  /**
   * Maximum number of partitions. With more, a partition of any model that fits a worker is smaller
   * than its header.
   */
  public static final int MAX_PARTITIONS = 1 << 16;

  /**
   * Approximate size of a message without its values, in bytes: smaller partitions hardly save
   * bandwidth.
   */
  private static final long MIN_PARTITION_BYTES = 64;

  private BandwidthCost() {}

  /**
   * Returns the number of partitions by equation 3: p = ⌈γ·m·(n − 1)/B⌉, at least 1 and at most the
   * number that is {@linkplain #most useful}.
   *
   * @param gradientsPerSecond γ, for one worker that never waits, at least 0
   * @param modelBytes m, size of a whole gradient, at least 1
   * @param workers n, at least 1
   * @param bytesPerSecond B, bandwidth at which one worker can send, more than 0
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static int partitions(
      double gradientsPerSecond, long modelBytes, int workers, double bytesPerSecond) {
    if (!(gradientsPerSecond >= 0) || modelBytes < 1 || workers < 1 || !(bytesPerSecond > 0)) {
      throw new IllegalArgumentException(
          gradientsPerSecond
              + " gradients/s of "
              + modelBytes
              + " bytes, "
              + workers
              + " workers, "
              + bytesPerSecond
              + " bytes/s: must be above 0, except gradients/s, which may be 0");
    }
    double needed = bytesPerSecond(gradientsPerSecond, modelBytes, workers, 1);
    return (int) Math.max(1, Math.min(most(modelBytes), Math.ceil(needed / bytesPerSecond)));
  }

  /**
   * Returns the largest useful number of partitions: {@value #MAX_PARTITIONS}, or fewer if each
   * would have less than {@value #MIN_PARTITION_BYTES} bytes, but at least 1.
   */
  public static int most(long modelBytes) {
    return (int) Math.max(1, Math.min(MAX_PARTITIONS, modelBytes / MIN_PARTITION_BYTES));
  }

  /** Returns the bytes that each worker sends per second with p partitions: γ·m·(n − 1)/p. */
  public static double bytesPerSecond(
      double gradientsPerSecond, long modelBytes, int workers, int partitions) {
    return gradientsPerSecond * modelBytes * (workers - 1) / partitions;
  }
}
