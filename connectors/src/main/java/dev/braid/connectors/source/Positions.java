package dev.braid.connectors.source;

import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Arithmetic on lists of disjoint, ascending ranges: sets of positions in an epoch's order. */
final class Positions {

  private Positions() {}

  /** Returns the number of positions. */
  static int count(List<Range> ranges) {
    int count = 0;
    for (Range range : ranges) {
      count += range.length();
    }
    return count;
  }

  /**
   * Returns positions number {@code from} to {@code to} (exclusive) of these positions, counted
   * from 0.
   */
  static List<Range> slice(List<Range> ranges, int from, int to) {
    List<Range> slice = new ArrayList<>();
    int before = 0;
    for (Range range : ranges) {
      int start = range.start() + Math.max(0, from - before);
      int end = range.start() + Math.min(range.length(), to - before);
      if (start < end) {
        slice.add(new Range(start, end));
      }
      before += range.length();
    }
    return List.copyOf(slice);
  }

  /**
   * Returns the ranges in ascending order, without empty ranges, and with adjacent ranges merged.
   */
  static List<Range> normalise(List<Range> ranges) {
    List<Range> sorted = new ArrayList<>(ranges);
    sorted.removeIf(Range::isEmpty);
    sorted.sort(Comparator.comparingInt(Range::start));
    List<Range> merged = new ArrayList<>();
    for (Range range : sorted) {
      int last = merged.size() - 1;
      if (last >= 0 && merged.get(last).end() > range.start()) {
        throw new IllegalStateException(
            "position " + range.start() + " is in two shards: " + merged.get(last) + ", " + range);
      }
      if (last >= 0 && merged.get(last).end() == range.start()) {
        merged.set(last, new Range(merged.get(last).start(), range.end()));
      } else {
        merged.add(range);
      }
    }
    return List.copyOf(merged);
  }
}
