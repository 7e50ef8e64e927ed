package dev.braid.codec;

import java.util.Arrays;

/** The distinct values among many, if they are few. An instance belongs to one thread. */
final class Palette {

  /** Multiplier that spreads the upper bits of floats, in which they differ, over all bits. */
  private static final int SPREAD = 0x9E3779B1;

  private final int[] valueBits;

  /** Hash table with linear probing: 1 + the index of a value, or 0 if the entry is empty. */
  private final int[] table;

  private int size;
  private boolean complete;

  /**
   * Creates an empty palette.
   *
   * @param most maximum number of distinct values, a power of two
   */
  Palette(int most) {
    this.valueBits = new int[most];
    this.table = new int[4 * most];
  }

  /**
   * Replaces the content by the distinct values at places {@code from} to {@code to}, excluding
   * {@code to}, in the order of their first occurrence.
   */
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

  /** Returns whether all collected values fit. */
  boolean isComplete() {
    return complete;
  }

  int size() {
    return size;
  }

  /** Returns the value at an index, as a float's bits. */
  int valueBits(int index) {
    return valueBits[index];
  }

  /** Returns the index of a value that the palette has. */
  int indexOf(float value) {
    return table[place(Float.floatToRawIntBits(value))] - 1;
  }

  /**
   * Returns the entry of the table for a value, whether or not the value is in it. At least three
   * quarters of the table are empty.
   */
  private int place(int bits) {
    int mask = table.length - 1;
    int place = ((bits * SPREAD) >>> Short.SIZE) & mask;
    while (table[place] != 0 && valueBits[table[place] - 1] != bits) {
      place = (place + 1) & mask;
    }
    return place;
  }

  /** Returns the number of bits of an index. */
  int indexBits() {
    return indexBits(size);
  }

  /** Returns the number of bits of an index among {@code size} values. */
  static int indexBits(int size) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, size) - 1);
  }

  /** Returns the number of bits of the palette's values and {@code count} indices. */
  long bits(int count) {
    return (long) Float.SIZE * size + (long) indexBits() * count;
  }
}
