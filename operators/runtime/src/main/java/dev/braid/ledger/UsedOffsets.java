package dev.braid.ledger;

/**
 * The used offsets of a stream, as ranges that neither overlap nor touch each other; element i of
 * each array is about range i, ascending by partition and offset.
 *
 * @param partitions partitions of the ranges
 * @param starts their first offsets
 * @param ends the offsets behind their last ones
 * @param repeated number of offsets that were used again, over all partitions
 * @param trained number of records that models were trained on
 * @param heldOut number of records that were only scored
 * @param refused number of records that are not valid samples
 */
public record UsedOffsets(
    long[] partitions,
    long[] starts,
    long[] ends,
    long repeated,
    long trained,
    long heldOut,
    long refused) {

  /** No offsets. */
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
