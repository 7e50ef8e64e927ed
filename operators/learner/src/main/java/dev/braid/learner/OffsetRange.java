package dev.braid.learner;

import java.util.ArrayList;
import java.util.List;

/**
 * A range of offsets of one partition of a stream. Not every offset has a record: a topic has gaps
 * after compaction, and at the end of each transaction.
 *
 * @param partition the partition, from 0
 * @param start the first offset
 * @param end the offset behind the last one; greater than {@code start}
 */
public record OffsetRange(int partition, long start, long end) {

  public OffsetRange {
    if (partition < 0 || start < 0 || end <= start) {
      throw new IllegalArgumentException(
          "offsets %d to %d (exclusive) of partition %d: must be 0 or more, with start < end"
              .formatted(start, end, partition));
    }
  }

  /** Returns the number of offsets. */
  public long length() {
    return end - start;
  }

  /** Returns the number of offsets in some ranges. */
  public static long count(List<OffsetRange> ranges) {
    return ranges.stream().mapToLong(OffsetRange::length).sum();
  }

  /**
   * Returns a part of a list of ranges, counted through one range after the other.
   *
   * @param from number of offsets before the part
   * @param to number of offsets before the part's end; the part is shorter if the ranges end before
   */
  public static List<OffsetRange> slice(List<OffsetRange> ranges, long from, long to) {
    List<OffsetRange> part = new ArrayList<>();
    long before = 0;
    for (OffsetRange range : ranges) {
      long start = range.start + Math.max(0, from - before);
      long end = range.start + Math.min(range.length(), to - before);
      if (start < end) {
        part.add(new OffsetRange(range.partition, start, end));
      }
      before += range.length();
    }
    return part;
  }

  @Override
  public String toString() {
    return partition + ":" + start + "-" + end;
  }
}
