package dev.braid.cost;

/**
 * How many partitions of the gradient a network can bear (Ako §3.2).
 *
 * <p>A worker that sends each of n − 1 others one of p partitions for every gradient needs γ·m·(n −
 * 1)/p bytes a second. With too few partitions messages queue up and arrive later and later; with
 * too many, bandwidth lies idle and a gradient takes more rounds than it needs to reach all.
 */
public final class BandwidthCost {

  /** Beyond this a partition of any model that fits a worker is smaller than its header. */
  public static final int MAX_PARTITIONS = 1 << 16;

  /** About what a message takes besides its values: smaller partitions save hardly anything. */
  private static final long MIN_PARTITION_BYTES = 64;

  private BandwidthCost() {}

  /**
   * Equation 3: p = ⌈γ·m·(n − 1)/B⌉; 1 at least, and no more than are {@linkplain #most useful}.
   *
   * @param gradientsPerSecond γ, of one worker that never waits
   * @param modelBytes m, bytes of a whole gradient
   * @param workers n
   * @param bytesPerSecond B, what one worker can send
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
              + " bytes/s: none may be negative, and only the first may be 0");
    }
    double needed = bytesPerSecond(gradientsPerSecond, modelBytes, workers, 1);
    return (int) Math.max(1, Math.min(most(modelBytes), Math.ceil(needed / bytesPerSecond)));
  }

  /**
   * As many partitions as can be useful: {@value #MAX_PARTITIONS}, or as leave each {@value
   * #MIN_PARTITION_BYTES} bytes, but one at least.
   */
  public static int most(long modelBytes) {
    return (int) Math.max(1, Math.min(MAX_PARTITIONS, modelBytes / MIN_PARTITION_BYTES));
  }

  /** What each worker sends in a second with p partitions: γ·m·(n − 1)/p bytes. */
  public static double bytesPerSecond(
      double gradientsPerSecond, long modelBytes, int workers, int partitions) {
    return gradientsPerSecond * modelBytes * (workers - 1) / partitions;
  }
}
