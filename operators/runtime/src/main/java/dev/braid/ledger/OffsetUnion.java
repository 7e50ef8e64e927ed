package dev.braid.ledger;

import dev.braid.learner.OffsetRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A set of offsets of a stream. If they are added nearly in order, the set has one range per
 * partition, or a few.
 */
public final class OffsetUnion {

  /** By partition, each range's end by its start. */
  private final NavigableMap<Integer, NavigableMap<Long, Long>> ranges = new TreeMap<>();

  /**
   * Adds a range.
   *
   * @return number of its offsets that were in the set before
   */
  public long add(OffsetRange added) {
    NavigableMap<Long, Long> known =
        ranges.computeIfAbsent(added.partition(), key -> new TreeMap<>());
    long start = added.start();
    long end = added.end();
    long repeated = 0;
    long from = start;
    long to = end;
    Map.Entry<Long, Long> before = known.floorEntry(start);
    if (before != null && before.getValue() >= start) {
      repeated += Math.min(before.getValue(), end) - start;
      from = before.getKey();
      to = Math.max(to, before.getValue());
    }
    NavigableMap<Long, Long> covered = known.subMap(start, false, to, true);
    for (Map.Entry<Long, Long> range : covered.entrySet()) {
      repeated += Math.max(0, Math.min(range.getValue(), end) - range.getKey());
      to = Math.max(to, range.getValue());
    }
    covered.clear();
    known.put(from, to);
    return repeated;
  }

  /** Returns the ranges, by partition and in ascending order, with a gap between any two. */
  public List<OffsetRange> ranges() {
    List<OffsetRange> all = new ArrayList<>();
    ranges.forEach(
        (partition, known) ->
            known.forEach((start, end) -> all.add(new OffsetRange(partition, start, end))));
    return all;
  }
}
