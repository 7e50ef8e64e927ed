package dev.braid.vector;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;

/**
 * Lends arrays, so that a message needs no allocation. All arrays are as long as the longest
 * request so far: messages have the same length, except the last one of a vector.
 *
 * <p>One thread may lend, and any number of threads may return. The pool never blocks and never
 * holds more than its capacity: it allocates when it is empty and discards what it cannot hold.
 */
public final class FloatPool {

  private final int longest;
  private final ArrayBlockingQueue<float[]> free;

  /** Takes an array back. A full pool discards it, because the burst that allocated it is over. */
  private final Consumer<float[]> home;

  /** Length of the arrays lent. Used only by the thread that lends. */
  private int arrayLength;

  /**
   * Creates a pool.
   *
   * @param longest length of the longest arrays that are kept, in elements; for a longer request an
   *     array is allocated each time
   * @param capacity maximum number of unused arrays that are held
   */
  public FloatPool(int longest, int capacity) {
    if (longest < 1 || capacity < 1) {
      throw new IllegalArgumentException(
          "pool of " + capacity + " arrays of " + longest + ": both must be at least 1");
    }
    this.longest = longest;
    this.free = new ArrayBlockingQueue<>(capacity);
    this.home = free::offer;
  }

  /** Returns a slice of {@code length} elements with unspecified content. */
  public Slice lend(int length) {
    if (length > longest) {
      return Slice.view(new float[length], 0, length);
    }
    arrayLength = Math.max(arrayLength, length);
    float[] array = free.poll();
    // An array from before the longest request may be too short, and is discarded.
    boolean fits = array != null && array.length >= length;
    return Slice.lent(fits ? array : new float[arrayLength], 0, length, home);
  }
}
