package dev.braid.codec;

import java.util.Arrays;

/**
 * Bits, the lowest of each byte first, in an array that grows. An instance belongs to one thread.
 */
final class BitWriter {

  private byte[] bytes = new byte[64];
  private int length;

  /** Bits that are not in the array yet, the first one lowest. */
  private long pending;

  private int pendingBits;

  /** Forgets all bits. */
  void clear() {
    length = 0;
    pending = 0;
    pendingBits = 0;
  }

  /**
   * Writes the lowest bits of a value.
   *
   * @param count from 0 to 32
   */
  void write(int value, int count) {
    pending |= (value & ((1L << count) - 1)) << pendingBits;
    pendingBits += count;
    while (pendingBits >= Byte.SIZE) {
      flushByte();
    }
  }

  /** Writes so many ones, and a zero. */
  void writeUnary(int ones) {
    int left = ones;
    for (; left >= Integer.SIZE; left -= Integer.SIZE) {
      write(-1, Integer.SIZE);
    }
    // At most 31 ones; the zero behind them is there already.
    write((1 << left) - 1, left + 1);
  }

  private void flushByte() {
    if (length == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * length);
    }
    bytes[length++] = (byte) pending;
    pending >>>= Byte.SIZE;
    pendingBits -= Byte.SIZE;
  }

  /** All that was written, with zeros up to a whole byte. */
  byte[] toBytes() {
    if (pendingBits > 0) {
      write(0, Byte.SIZE - pendingBits);
    }
    return Arrays.copyOf(bytes, length);
  }
}
