package dev.braid.vector;

import java.io.Serializable;
import java.util.Objects;

/**
 * A half-open interval {@code [start, end)} of a vector, in elements.
 *
 * <p>Partitions are always contiguous ranges, so that a part of a vector takes one copy or one
 * loop, never a gather.
 */
public record Range(int start, int end) implements Serializable {

  /** The range of no elements. */
  public static final Range EMPTY = new Range(0, 0);

  public Range {
    if (start < 0 || end < start) {
      throw new IllegalArgumentException(
          "range [" + start + ", " + end + "): must be 0 <= start <= end");
    }
  }

  /** Returns the range of a whole vector of {@code length} elements. */
  public static Range ofLength(int length) {
    return new Range(0, length);
  }

  /** Returns the number of elements. */
  public int length() {
    return end - start;
  }

  public boolean isEmpty() {
    return start == end;
  }

  /** Returns whether this range contains all elements of another. */
  public boolean contains(Range other) {
    return start <= other.start && other.end <= end;
  }

  /** Returns whether this range contains any element of another. */
  public boolean overlaps(Range other) {
    return start < other.end && other.start < end;
  }

  /** Returns the intersection of two ranges, or {@link #EMPTY} if they have no common element. */
  public Range common(Range other) {
    int from = Math.max(start, other.start);
    int to = Math.min(end, other.end);
    return from < to ? new Range(from, to) : EMPTY;
  }

  /**
   * Returns part {@code index} of {@code parts} contiguous parts of this range whose lengths differ
   * by at most one. With more parts than elements, some parts are empty.
   */
  public Range part(int index, int parts) {
    if (parts < 1 || index < 0 || index >= parts) {
      throw new IllegalArgumentException(
          "part " + index + " of " + parts + ": must be 0 <= part < parts");
    }
    return new Range(boundary(index, parts), boundary(index + 1, parts));
  }

  /** Returns how many chunks of at most {@code chunkLength} elements this range has. */
  public int chunks(int chunkLength) {
    // Not (length + chunkLength - 1) / chunkLength, which overflows for a large chunkLength.
    return isEmpty() ? 0 : (length() - 1) / chunkLength + 1;
  }

  /**
   * Returns chunk {@code index} of this range divided into chunks of {@code chunkLength} elements;
   * only the last chunk may be shorter.
   */
  public Range chunk(int index, int chunkLength) {
    int from = start + Objects.checkIndex(index, chunks(chunkLength)) * chunkLength;
    return new Range(from, from + Math.min(end - from, chunkLength));
  }

  private int boundary(int index, int parts) {
    return start + (int) ((long) length() * index / parts);
  }
}
