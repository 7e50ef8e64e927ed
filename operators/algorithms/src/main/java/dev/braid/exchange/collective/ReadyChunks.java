package dev.braid.exchange.collective;

import dev.braid.vector.Range;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * The chunks of an operation whose elements are all ready. The preceding operation has its own
 * chunks, whose boundaries may differ from those of this operation.
 */
public final class ReadyChunks {

  private final Range[] chunks;
  private final int[] starts;

  /** Per chunk: number of elements that are ready. */
  private final int[] ready;

  /**
   * Creates an object in which no element is ready.
   *
   * @param chunks the operation's chunks: ascending, not empty and disjoint
   */
  public ReadyChunks(List<Range> chunks) {
    this.chunks = chunks.toArray(Range[]::new);
    this.starts = chunks.stream().mapToInt(Range::start).toArray();
    this.ready = new int[starts.length];
  }

  public int size() {
    return chunks.length;
  }

  public Range chunk(int index) {
    return chunks[index];
  }

  /**
   * Returns the index of a chunk.
   *
   * @throws IllegalArgumentException if the range is not one of the chunks
   */
  public int indexOf(Range chunk) {
    int index = Arrays.binarySearch(starts, chunk.start());
    if (index < 0 || !chunks[index].equals(chunk)) {
      throw new IllegalArgumentException("sum over " + chunk + ": must be over one of the chunks");
    }
    return index;
  }

  /**
   * Marks the elements of a range as ready; none of them may be ready already.
   *
   * @param whole receives the index of each chunk that becomes ready as a whole, ascending
   */
  public void add(Range range, IntConsumer whole) {
    int found = Arrays.binarySearch(starts, range.start());
    int first = found >= 0 ? found : Math.max(0, -found - 2);
    for (int i = first; i < chunks.length && starts[i] < range.end(); i++) {
      if (chunks[i].overlaps(range)) {
        int end = Math.min(range.end(), chunks[i].end());
        ready[i] += end - Math.max(range.start(), starts[i]);
        if (isWhole(i)) {
          whole.accept(i);
        }
      }
    }
  }

  /** Returns whether all elements of a chunk are ready. */
  public boolean isWhole(int index) {
    return ready[index] == chunks[index].length();
  }

  /** Marks a chunk as used: none of its elements is ready until the next round. */
  public void clear(int index) {
    ready[index] = 0;
  }

  /** Marks all elements as not ready. */
  public void clear() {
    Arrays.fill(ready, 0);
  }
}
