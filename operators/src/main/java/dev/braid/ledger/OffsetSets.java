package dev.braid.ledger;

import dev.braid.worker.report.Reports.OffsetUse;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * For each partition of a stream the offsets that were used. Rounds use successive offsets, so that
 * a set is one range, or a few where workers are in different rounds: its size is bounded by what
 * is in flight, however long the stream is.
 */
final class OffsetSets {

  /** By partition, the ends of ranges by their starts. */
  private final NavigableMap<Integer, NavigableMap<Long, Long>> used = new TreeMap<>();

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

  /** Adds what was used before a failure, or by another subtask. */
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
    NavigableMap<Long, Long> ranges = used.computeIfAbsent(partition, key -> new TreeMap<>());
    long from = start;
    long to = end;
    Map.Entry<Long, Long> before = ranges.floorEntry(start);
    if (before != null && before.getValue() >= start) {
      repeated += Math.min(before.getValue(), end) - start;
      from = before.getKey();
      to = Math.max(to, before.getValue());
    }
    NavigableMap<Long, Long> covered = ranges.subMap(start, false, to, true);
    for (Map.Entry<Long, Long> range : covered.entrySet()) {
      repeated += Math.max(0, Math.min(range.getValue(), end) - range.getKey());
      to = Math.max(to, range.getValue());
    }
    covered.clear();
    ranges.put(from, to);
  }

  UsedOffsets summary() {
    int count = used.values().stream().mapToInt(Map::size).sum();
    long[] partitions = new long[count];
    long[] starts = new long[count];
    long[] ends = new long[count];
    int i = 0;
    for (Map.Entry<Integer, NavigableMap<Long, Long>> partition : used.entrySet()) {
      for (Map.Entry<Long, Long> range : partition.getValue().entrySet()) {
        partitions[i] = partition.getKey();
        starts[i] = range.getKey();
        ends[i] = range.getValue();
        i++;
      }
    }
    return new UsedOffsets(partitions, starts, ends, repeated, trained, heldOut, refused);
  }
}
