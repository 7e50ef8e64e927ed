package dev.braid.connectors.image;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;

/**
 * Finds the bytes that are not 0 among many that are, eight at a time. A starting worker examines
 * millions of pixels before this code is compiled, and a training that is interrupted by a failure
 * waits for it.
 */
final class NonZeroBytes {

  private static final int BLOCK_WORDS = 1 << 10;
  private static final long LOWEST_BITS = 0x0101_0101_0101_0101L;

  private final long[] words = new long[BLOCK_WORDS];

  /**
   * Found bytes. Each byte is written, and overwritten by the next one if it is 0, so there is room
   * for one more.
   */
  private final char[] columns;

  private final byte[] bytes;
  private int size;

  /** Reserves room for {@code count} bytes. */
  NonZeroBytes(int count) {
    columns = new char[count + 1];
    bytes = new byte[count + 1];
  }

  /** Returns the number of bytes that are not 0. */
  static int count(byte[] all) {
    LongBuffer left = ByteBuffer.wrap(all).asLongBuffer();
    long[] block = new long[BLOCK_WORDS];
    int count = 0;
    while (left.hasRemaining()) {
      int length = Math.min(block.length, left.remaining());
      left.get(block, 0, length);
      for (int i = 0; i < length; i++) {
        count += block[i] == 0 ? 0 : count(block[i]);
      }
    }
    for (int i = all.length - all.length % Long.BYTES; i < all.length; i++) {
      count += isNonZero(all[i]);
    }
    return count;
  }

  /**
   * Counts the bytes of a word that are not 0: each byte's lowest bit becomes 1 if any of its bits
   * is set.
   */
  private static int count(long word) {
    long any = word | word >>> 4;
    any |= any >>> 2;
    any |= any >>> 1;
    return Long.bitCount(any & LOWEST_BITS);
  }

  /** Returns 1 for a byte that is not 0, else 0, without an unpredictable branch. */
  private static int isNonZero(byte value) {
    return ((value & 0xff) + 255) >> Byte.SIZE;
  }

  /** Adds the bytes of a row that are not 0. The row begins at {@code start}. */
  void add(byte[] all, int start, int length) {
    LongBuffer left = ByteBuffer.wrap(all, start, length).slice().asLongBuffer();
    int column = 0;
    while (left.hasRemaining()) {
      int count = Math.min(words.length, left.remaining());
      left.get(words, 0, count);
      for (int i = 0; i < count; i++) {
        if (words[i] != 0) {
          addEach(all, start, column, column + Long.BYTES);
        }
        column += Long.BYTES;
      }
    }
    addEach(all, start, column, length);
  }

  private void addEach(byte[] all, int start, int from, int to) {
    int end = size;
    for (int column = from; column < to; column++) {
      byte value = all[start + column];
      columns[end] = (char) column;
      bytes[end] = value;
      end += isNonZero(value);
    }
    size = end;
  }

  /** Returns the number of bytes found. */
  int size() {
    return size;
  }

  /** Returns the position in its row of each byte found, followed by one invalid element. */
  char[] columns() {
    return columns;
  }

  /** Returns the values of the bytes found, followed by one invalid element. */
  byte[] bytes() {
    return bytes;
  }
}
