package dev.braid.exchange.collective;

import dev.braid.vector.Range;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Which of the chunks that an operation sends are there as a whole, where what goes before it has
 * chunks of its own, which need not begin and end where these do.
 */
public final class ReadyChunks {

  private final Range[] chunks;
  private final int[] starts;

  /** By chunk: how many of its elements are there. */
  private final int[] ready;

  /**
   * None is there.
   *
   * @param chunks ascending; none empty, and no element in two of them
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

  /** Which chunk this is. */
  public int indexOf(Range chunk) {
    int index = Arrays.binarySearch(starts, chunk.start());
    if (index < 0 || !chunks[index].equals(chunk)) {
      throw new IllegalArgumentException("sum over " + chunk + ": must be over one of the chunks");
    }
    return index;
  }

  /**
   * The elements of a range are there, each for the first time.
   *
   * @param whole told of each chunk that is there as a whole from now on, ascending
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

  /** Whether a chunk is there as a whole. */
  public boolean isWhole(int index) {
    return ready[index] == chunks[index].length();
  }

  /** A chunk is made use of, and there again in the next round only. */
  public void clear(int index) {
    ready[index] = 0;
  }

  /** None is there. */
  public void clear() {
    Arrays.fill(ready, 0);
  }
}
