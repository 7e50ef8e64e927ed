package dev.braid.codec;

import dev.braid.vector.Range;
import java.util.Arrays;

/**
 * The elements of a vector that are not 0, in the order of their indices. Its arrays grow and are
 * reused. An instance belongs to one thread.
 */
public final class SparseValues {

  private static final int BLOCK = 16;

  private int[] indices;
  private float[] values;
  private int size;

  /** Creates an object without values, with room for {@code room} of them. */
  public SparseValues(int room) {
    this.indices = new int[room];
    this.values = new float[room];
  }

  /** Returns how many elements have a value. */
  public int size() {
    return size;
  }

  /** Returns the index in the vector of the value at a place, 0 ≤ place &lt; {@link #size}. */
  public int index(int place) {
    return indices[place];
  }

  public float value(int place) {
    return values[place];
  }

  /** Discards all values. */
  public void clear() {
    size = 0;
  }

  /**
   * Appends the value of an element after all others.
   *
   * @throws IllegalArgumentException if the index is not greater than the last one
   */
  public void append(int index, float value) {
    if (index < 0 || (size > 0 && index <= indices[size - 1])) {
      throw new IllegalArgumentException(
          "element %d after element %d: indices must increase"
              .formatted(index, size == 0 ? -1 : indices[size - 1]));
    }
    put(index, value);
  }

  /** Appends a value as {@link #append} does, without checking that indices increase. */
  void put(int index, float value) {
    if (size == indices.length) {
      int room = Math.max(16, 2 * size);
      indices = Arrays.copyOf(indices, room);
      values = Arrays.copyOf(values, room);
    }
    indices[size] = index;
    values[size++] = value;
  }

  /**
   * Replaces the content by those elements of a range that are not 0. Elements are compared by
   * their bits, so −0 is not 0.
   */
  void gather(float[] vector, Range range) {
    clear();
    int i = range.start();
    for (; i + BLOCK <= range.end(); i += BLOCK) {
      if (hasValue(vector, i)) {
        gather(vector, i, i + BLOCK);
      }
    }
    gather(vector, i, range.end());
  }

  /**
   * Returns whether a block has any value. Most blocks have none, and are skipped with one branch.
   */
  private static boolean hasValue(float[] vector, int start) {
    int bits = 0;
    for (int i = start; i < start + BLOCK; i++) {
      bits |= Float.floatToRawIntBits(vector[i]);
    }
    return bits != 0;
  }

  private void gather(float[] vector, int start, int end) {
    for (int i = start; i < end; i++) {
      if (Float.floatToRawIntBits(vector[i]) != 0) {
        put(i, vector[i]);
      }
    }
  }

  /**
   * Returns the place of the first element whose index is at least {@code index}; {@link #size} if
   * there is none.
   */
  int placeOf(int index) {
    int place = Arrays.binarySearch(indices, 0, size, index);
    return place < 0 ? -place - 1 : place;
  }

  /** Adds the values to a dense vector. */
  public void addTo(float[] vector) {
    for (int i = 0; i < size; i++) {
      vector[indices[i]] += values[i];
    }
  }

  /** Subtracts the values from a dense vector. */
  public void subtractFrom(float[] vector) {
    for (int i = 0; i < size; i++) {
      vector[indices[i]] -= values[i];
    }
  }

  /** Sets the elements of a dense vector that have a value to that value times {@code factor}. */
  public void setIn(float[] vector, float factor) {
    for (int i = 0; i < size; i++) {
      vector[indices[i]] = factor * values[i];
    }
  }

  /** Sets the elements of a dense vector that have a value to 0. */
  public void clearIn(float[] vector) {
    for (int i = 0; i < size; i++) {
      vector[indices[i]] = 0;
    }
  }

  /** Copies the values of a range to a dense vector, and sets the range's other elements to 0. */
  public void copyTo(float[] vector, Range range) {
    Arrays.fill(vector, range.start(), range.end(), 0);
    for (int i = placeOf(range.start()); i < size && indices[i] < range.end(); i++) {
      vector[indices[i]] = values[i];
    }
  }
}
