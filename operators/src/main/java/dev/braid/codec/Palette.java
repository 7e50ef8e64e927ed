package dev.braid.codec;

import java.util.Arrays;

/** The different values among many, if they are few. An instance belongs to one thread. */
final class Palette {

  /** Spreads the upper bits of floats, in which they differ, over all bits. */
  private static final int SPREAD = 0x9E3779B1;

  private final int[] valueBits;

  /** By hash, and the next places behind it: 1 + where a value is, or 0. */
  private final int[] table;

  private int size;
  private boolean complete;

  /**
   * One of so many values at most.
   *
   * @param most a power of two
   */
  Palette(int most) {
    this.valueBits = new int[most];
    this.table = new int[4 * most];
  }

  /** Becomes the values of these places, in the order in which they come. */
  void collect(SparseValues values, int from, int to) {
    size = 0;
    complete = true;
    Arrays.fill(table, 0);
    for (int i = from; complete && i < to; i++) {
      int bits = Float.floatToRawIntBits(values.value(i));
      int place = place(bits);
      if (table[place] == 0) {
        complete = size < valueBits.length;
        if (complete) {
          valueBits[size++] = bits;
          table[place] = size;
        }
      }
    }
  }

  /** Whether all values are in it. */
  boolean isComplete() {
    return complete;
  }

  int size() {
    return size;
  }

  /** The value at an index, as a float's bits. */
  int valueBits(int index) {
    return valueBits[index];
  }

  /** Where a value is that is in it. */
  int indexOf(float value) {
    return table[place(Float.floatToRawIntBits(value))] - 1;
  }

  /** Where in the table a value is, or would be: three quarters of it are empty at least. */
  private int place(int bits) {
    int mask = table.length - 1;
    int place = ((bits * SPREAD) >>> Short.SIZE) & mask;
    while (table[place] != 0 && valueBits[table[place] - 1] != bits) {
      place = (place + 1) & mask;
    }
    return place;
  }

  /** What an index takes. */
  int indexBits() {
    return indexBits(size);
  }

  /** What an index takes among so many values. */
  static int indexBits(int size) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, size) - 1);
  }

  /** What the values and so many indices take. */
  long bits(int count) {
    return (long) Float.SIZE * size + (long) indexBits() * count;
  }
}
