package dev.braid.ledger;

/**
 * Offsets of a stream that were used, as ranges that neither overlap nor touch each other; element
 * i of each array is about range i, ascending by partition and offset.
 *
 * @param partitions partitions of the ranges
 * @param starts their first offsets
 * @param ends the offsets behind their last ones
 * @param repeated how many offsets were used again, over all partitions
 * @param trained records that models were trained on
 * @param heldOut records that were only scored
 * @param refused records that are no samples
 */
public record UsedOffsets(
    long[] partitions,
    long[] starts,
    long[] ends,
    long repeated,
    long trained,
    long heldOut,
    long refused) {

  /** Nothing of a stream. */
  public static final UsedOffsets NONE =
      new UsedOffsets(new long[0], new long[0], new long[0], 0, 0, 0, 0);

  public UsedOffsets {
    if (partitions.length != starts.length || starts.length != ends.length) {
      throw new IllegalArgumentException(
          "%d partitions, %d starts and %d ends of ranges: must be equally many"
              .formatted(partitions.length, starts.length, ends.length));
    }
  }
}
