package dev.braid.vector;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;

/**
 * Lends arrays of one size, so that a message costs no allocation.
 *
 * <p>One thread lends and another may give back. The pool never blocks and never holds more than
 * its capacity: it allocates when it is empty and forgets what it cannot hold.
 */
public final class FloatPool {

  private final int arrayLength;
  private final ArrayBlockingQueue<float[]> free;

  /** Takes an array back; a full pool forgets it: the burst that made it is over. */
  private final Consumer<float[]> home;

  /**
   * @param arrayLength length of the arrays that are lent, in elements; a longer request is
   *     allocated and not kept
   * @param capacity how many arrays are held at most while nobody needs them
   */
  public FloatPool(int arrayLength, int capacity) {
    if (arrayLength < 1 || capacity < 1) {
      throw new IllegalArgumentException(
          "pool of " + capacity + " arrays of " + arrayLength + ": both must be at least 1");
    }
    this.arrayLength = arrayLength;
    this.free = new ArrayBlockingQueue<>(capacity);
    this.home = free::offer;
  }

  /** A slice of {@code length} elements of unspecified content. */
  public Slice lend(int length) {
    if (length > arrayLength) {
      return Slice.view(new float[length], 0, length);
    }
    float[] array = free.poll();
    return Slice.lent(array == null ? new float[arrayLength] : array, 0, length, home);
  }
}
