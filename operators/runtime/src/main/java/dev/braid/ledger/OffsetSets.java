package dev.braid.ledger;

import dev.braid.learner.OffsetRange;
import dev.braid.worker.report.Reports.OffsetUse;
import java.util.List;

/**
 * For each partition of a stream, the set of used offsets. Rounds use successive offsets, so that a
 * set is one range, or a few if workers are in different rounds. Its size is bounded by the offsets
 * in flight, for a stream of any length.
 */
final class OffsetSets {

  private final OffsetUnion used = new OffsetUnion();

  private long repeated;
  private long trained;
  private long heldOut;
  private long refused;

  void add(OffsetUse use) {
    for (int i = 0; i < use.starts().length; i++) {
      add((int) use.partitions()[i], use.starts()[i], use.ends()[i]);
    }
    trained += use.samples();
    heldOut += use.heldOut();
    refused += use.refused();
  }

  /** Adds offsets that were used before a failure, or counted by another subtask. */
  void add(UsedOffsets other) {
    for (int i = 0; i < other.starts().length; i++) {
      add((int) other.partitions()[i], other.starts()[i], other.ends()[i]);
    }
    repeated += other.repeated();
    trained += other.trained();
    heldOut += other.heldOut();
    refused += other.refused();
  }

  private void add(int partition, long start, long end) {
    repeated += used.add(new OffsetRange(partition, start, end));
  }

  UsedOffsets summary() {
    List<OffsetRange> ranges = used.ranges();
    return new UsedOffsets(
        ranges.stream().mapToLong(OffsetRange::partition).toArray(),
        ranges.stream().mapToLong(OffsetRange::start).toArray(),
        ranges.stream().mapToLong(OffsetRange::end).toArray(),
        repeated,
        trained,
        heldOut,
        refused);
  }
}
