package dev.braid.connectors.image;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;

/**
 * Finds bytes that are not 0 among many that are, eight at a time: a worker that starts looks at
 * millions of pixels before anything of this is compiled, and a training that a failure has
 * interrupted waits for it.
 */
final class NonZeroBytes {

  private static final int BLOCK_WORDS = 1 << 10;
  private static final long LOWEST_BITS = 0x0101_0101_0101_0101L;

  private final long[] words = new long[BLOCK_WORDS];

  /** Each is written, and the next one over it if it is 0: so there is room for one more. */
  private final char[] columns;

  private final byte[] bytes;
  private int size;

  /** Room for so many. */
  NonZeroBytes(int count) {
    columns = new char[count + 1];
    bytes = new byte[count + 1];
  }

  /** How many of them are not 0. */
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

  /** In each byte's lowest bit comes whether any of its bits is set. */
  private static int count(long word) {
    long any = word | word >>> 4;
    any |= any >>> 2;
    any |= any >>> 1;
    return Long.bitCount(any & LOWEST_BITS);
  }

  /** 1 or 0, without a branch that cannot be foreseen. */
  private static int isNonZero(byte value) {
    return ((value & 0xff) + 255) >> Byte.SIZE;
  }

  /** Adds those of a row, which begins at {@code start}. */
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

  /** How many have been found. */
  int size() {
    return size;
  }

  /** Where in its row each is, and one more that is none. */
  char[] columns() {
    return columns;
  }

  /** What each is, and one more that is none. */
  byte[] bytes() {
    return bytes;
  }
}
