package dev.braid.connectors.stream;

import dev.braid.learner.OffsetRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Offsets of a stream that are not dealt: those of each partition from some offset on, and earlier
 * ranges that were dealt to other workers and not used.
 */
final class Backlog {

  /** An odd number near 2 to the power of 64, divided by the golden ratio. */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final SortedMap<Integer, List<OffsetRange>> returned = new TreeMap<>();
  private final SortedMap<Integer, Long> next = new TreeMap<>();

  /** Adds a partition, unless it is known. */
  void addPartition(int partition, long start) {
    next.putIfAbsent(partition, start);
  }

  /** Returns the first offset of each partition that was never dealt. */
  SortedMap<Integer, Long> next() {
    return next;
  }

  /** Returns the ranges that were dealt and not used, by partition and offset. */
  List<OffsetRange> returned() {
    return returned.values().stream().flatMap(Collection::stream).toList();
  }

  /** Takes back offsets that were dealt and not used. */
  void giveBack(Collection<OffsetRange> ranges) {
    for (OffsetRange range : ranges) {
      returned.computeIfAbsent(range.partition(), key -> new ArrayList<>()).add(range);
    }
    returned.replaceAll((partition, list) -> merged(list));
  }

  private static List<OffsetRange> merged(List<OffsetRange> ranges) {
    List<OffsetRange> merged = new ArrayList<>();
    List<OffsetRange> sorted =
        ranges.stream().sorted(Comparator.comparingLong(OffsetRange::start)).toList();
    for (OffsetRange range : sorted) {
      int last = merged.size() - 1;
      if (last >= 0 && merged.get(last).end() >= range.start()) {
        OffsetRange before = merged.get(last);
        long end = Math.max(before.end(), range.end());
        merged.set(last, new OffsetRange(before.partition(), before.start(), end));
      } else {
        merged.add(range);
      }
    }
    return merged;
  }

  /** Records that these offsets have been dealt, by this or an earlier enumerator. */
  void dealt(Collection<OffsetRange> ranges) {
    for (OffsetRange range : ranges) {
      next.merge(range.partition(), range.end(), Math::max);
      List<OffsetRange> back = returned.remove(range.partition());
      if (back != null) {
        List<OffsetRange> left = back.stream().flatMap(it -> without(it, range).stream()).toList();
        if (!left.isEmpty()) {
          returned.put(range.partition(), new ArrayList<>(left));
        }
      }
    }
  }

  private static List<OffsetRange> without(OffsetRange range, OffsetRange taken) {
    List<OffsetRange> left = new ArrayList<>();
    if (range.start() < Math.min(taken.start(), range.end())) {
      left.add(
          new OffsetRange(range.partition(), range.start(), Math.min(taken.start(), range.end())));
    }
    if (Math.max(taken.end(), range.start()) < range.end()) {
      left.add(
          new OffsetRange(range.partition(), Math.max(taken.end(), range.start()), range.end()));
    }
    return left;
  }

  /** Returns the offsets of a partition that may be dealt, if the partition ends at {@code end}. */
  private List<OffsetRange> pending(int partition, long end) {
    List<OffsetRange> pending = new ArrayList<>(returned.getOrDefault(partition, List.of()));
    long start = next.get(partition);
    if (start < end) {
      pending.add(new OffsetRange(partition, start, end));
    }
    return pending;
  }

  /**
   * Returns the number of offsets that may be dealt.
   *
   * @param ends the offset after the last one of each partition
   */
  long count(Map<Integer, Long> ends) {
    long count = 0;
    for (int partition : next.keySet()) {
      count += OffsetRange.count(pending(partition, ends.getOrDefault(partition, 0L)));
    }
    return count;
  }

  /**
   * Takes offsets of all partitions, in proportion to the offsets of each, so that no partition
   * falls behind. Different partitions get an additional offset by rounding at different times.
   * Otherwise a partition with a single record would wait forever while others grow.
   *
   * @param count number of offsets to take, at most {@link #count}
   * @return ranges by partition and offset
   */
  List<OffsetRange> take(long count, Map<Integer, Long> ends) {
    SortedMap<Integer, List<OffsetRange>> pending = new TreeMap<>();
    next.keySet()
        .forEach(
            partition ->
                pending.put(partition, pending(partition, ends.getOrDefault(partition, 0L))));
    long all = pending.values().stream().mapToLong(OffsetRange::count).sum();
    List<OffsetRange> taken = new ArrayList<>();
    long rounding = all == 0 ? 0 : turn() % all;
    long before = 0;
    for (List<OffsetRange> ofPartition : pending.values()) {
      // Rounded so that the shares are whole numbers and add up to the count.
      long after = before + OffsetRange.count(ofPartition);
      long share = part(count, after, all, rounding) - part(count, before, all, rounding);
      taken.addAll(OffsetRange.slice(ofPartition, 0, share));
      before = after;
    }
    dealt(taken);
    return taken;
  }

  /** Returns a pseudorandom number that depends only on what was dealt. */
  private long turn() {
    return (next.values().stream().mapToLong(Long::longValue).sum() * GOLDEN) >>> Integer.SIZE;
  }

  private static long part(long count, long of, long all, long rounding) {
    return all == 0 ? 0 : (Math.multiplyExact(count, of) + rounding) / all;
  }
}
