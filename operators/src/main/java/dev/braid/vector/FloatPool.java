package dev.braid.vector;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;

/**
 * Lends arrays, so that a message costs no allocation. All are as long as the longest request so
 * far: messages have one length, but for the last of a vector.
 *
 * <p>One thread lends and another may give back. The pool never blocks and never holds more than
 * its capacity: it allocates when it is empty and forgets what it cannot hold.
 */
public final class FloatPool {

  private final int longest;
  private final ArrayBlockingQueue<float[]> free;

  /** Takes an array back; a full pool forgets it: the burst that made it is over. */
  private final Consumer<float[]> home;

  /** Only the thread that lends knows it. */
  private int arrayLength;

  /**
   * @param longest length of the longest arrays that are kept, in elements; for a longer request
   *     one is allocated each time
   * @param capacity how many arrays are held at most while nobody needs them
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

  /** A slice of {@code length} elements of unspecified content. */
  public Slice lend(int length) {
    if (length > longest) {
      return Slice.view(new float[length], 0, length);
    }
    arrayLength = Math.max(arrayLength, length);
    float[] array = free.poll();
    // One that comes back from before the longest request may be too short, and is forgotten.
    boolean fits = array != null && array.length >= length;
    return Slice.lent(fits ? array : new float[arrayLength], 0, length, home);
  }
}
