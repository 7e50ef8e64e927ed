package dev.braid.vector;

import java.util.function.Consumer;

/**
 * A window on a {@code float[]}: the payload of a message.
 *
 * <p>A slice is either a view of an array that its owner keeps, or lent by a {@link FloatPool}. A
 * view is steady if the owner writes to the array only when the receiver no longer needs it. The
 * receiver of a slice calls {@link #release()} when it is done with it, and neither reads nor
 * writes it afterwards. Releasing a view does nothing. A lent slice that is never released costs an
 * allocation, not correctness.
 */
public final class Slice {

  /** The payload of a message that carries no values. */
  public static final Slice EMPTY = view(new float[0], 0, 0);

  private final float[] array;
  private final int offset;
  private final int length;
  private final Consumer<float[]> home;
  private final boolean isSteady;
  private boolean released;

  private Slice(float[] array, int offset, int length, Consumer<float[]> home, boolean isSteady) {
    if (offset < 0 || length < 0 || offset > array.length - length) {
      throw new IndexOutOfBoundsException(
          "slice of " + length + " at " + offset + " in an array of " + array.length);
    }
    this.array = array;
    this.offset = offset;
    this.length = length;
    this.home = home;
    this.isSteady = isSteady;
  }

  /** Returns a view of an array that its owner keeps. */
  public static Slice view(float[] array, int offset, int length) {
    return new Slice(array, offset, length, Slice::keep, false);
  }

  /** Returns a steady view of the elements of {@code range}. */
  public static Slice steady(float[] array, Range range) {
    return new Slice(array, range.start(), range.length(), Slice::keep, true);
  }

  /** Returns a view of the elements of {@code range}. */
  public static Slice view(float[] array, Range range) {
    return view(array, range.start(), range.length());
  }

  /**
   * Returns a window on an array that is lent, as a {@link FloatPool} does.
   *
   * @param home takes the array back, once, when the slice is released
   */
  public static Slice lent(float[] array, int offset, int length, Consumer<float[]> home) {
    return new Slice(array, offset, length, home, false);
  }

  public float[] array() {
    return array;
  }

  /** Returns the index in {@link #array()} of the first element. */
  public int offset() {
    return offset;
  }

  /** Returns the number of elements. */
  public int length() {
    return length;
  }

  /** Returns whether a receiver in the same process needs no copy. */
  public boolean isSteady() {
    return isSteady;
  }

  /** Returns a new array with the elements. */
  public float[] toArray() {
    float[] copy = new float[length];
    System.arraycopy(array, offset, copy, 0, length);
    return copy;
  }

  /** Gives a lent array back to its lender. Does nothing for a view, or if called again. */
  public void release() {
    if (released) {
      return;
    }
    released = true;
    home.accept(array);
  }

  /** The home of views, which does nothing because their owner keeps the array. */
  private static void keep(float[] array) {}
}
