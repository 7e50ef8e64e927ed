package dev.braid.exchange;

/**
 * What the cost model goes by, and what it has chosen (Ako §3.2).
 *
 * @param partitions p, in force at this rank
 * @param gradientsPerSecond γ, what this rank computes while nothing keeps it waiting; 0 while it
 *     is not known
 * @param bytesPerSecond B, what this rank can send, as it was given or measured; 0 while it is not
 *     known
 */
public record BandwidthUse(int partitions, double gradientsPerSecond, double bytesPerSecond) {

  /** γ and B as float32 each, in the one number that a control message carries. */
  long packed() {
    return (long) Float.floatToIntBits((float) gradientsPerSecond) << Integer.SIZE
        | Integer.toUnsignedLong(Float.floatToIntBits((float) bytesPerSecond));
  }

  /** What {@link #packed} packed, with a p. */
  static BandwidthUse unpack(int partitions, long packed) {
    return new BandwidthUse(
        partitions,
        Float.intBitsToFloat((int) (packed >>> Integer.SIZE)),
        Float.intBitsToFloat((int) packed));
  }
}
