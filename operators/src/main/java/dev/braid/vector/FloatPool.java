package dev.braid.vector;

import java.util.concurrent.ArrayBlockingQueue;

/**
 * Lends arrays of one size, so that a message costs no allocation.
 *
 * <p>One thread lends and another may give back. The pool never blocks and never holds more than
 * its capacity: it allocates when it is empty and forgets what it cannot hold.
 */
public final class FloatPool {

  /** A pool that lends and holds nothing: the home of views. */
  static final FloatPool NONE = new FloatPool(0, 1);

  private final int arrayLength;
  private final ArrayBlockingQueue<float[]> free;

  /**
   * @param arrayLength length of the arrays that are lent, in elements; a longer request is
   *     allocated and not kept
   * @param capacity how many arrays are held at most while nobody needs them
   */
  public FloatPool(int arrayLength, int capacity) {
    this.arrayLength = arrayLength;
    this.free = new ArrayBlockingQueue<>(capacity);
  }

  /** A slice of {@code length} elements of unspecified content. */
  public Slice lend(int length) {
    if (length > arrayLength) {
      return Slice.view(new float[length], 0, length);
    }
    float[] array = free.poll();
    return new Slice(array == null ? new float[arrayLength] : array, 0, length, this);
  }

  void takeBack(float[] array) {
    if (array.length == arrayLength && arrayLength > 0) {
      // A full pool forgets the array: the burst that made it is over.
      boolean kept = free.offer(array);
      assert kept || free.remainingCapacity() == 0;
    }
  }
}
