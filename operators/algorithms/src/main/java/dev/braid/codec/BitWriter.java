package dev.braid.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes bits, the lowest of each byte first, to a growing array. An instance belongs to one
 * thread.
 */
final class BitWriter {

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes = new byte[64];
  private int length;

  /** Bits that are not in the array yet, the first one lowest: fewer than 32. */
  private long pending;

  private int pendingBits;

  /** Discards all bits. */
  void clear() {
    length = 0;
    pending = 0;
    pendingBits = 0;
  }

  /**
   * Writes the lowest bits of a value.
   *
   * @param count number of bits, 0 to 32
   */
  void write(int value, int count) {
    pending |= (value & ((1L << count) - 1)) << pendingBits;
    pendingBits += count;
    if (pendingBits >= Integer.SIZE) {
      flush();
    }
  }

  /** Writes {@code ones} ones, followed by a zero. */
  void writeUnary(int ones) {
    int left = ones;
    for (; left >= Integer.SIZE; left -= Integer.SIZE) {
      write(-1, Integer.SIZE);
    }
    // At most 31 ones are left; the zero after them is a bit of the value.
    write((1 << left) - 1, left + 1);
  }

  private void flush() {
    makeRoom();
    INTS.set(bytes, length, (int) pending);
    length += Integer.BYTES;
    pending >>>= Integer.SIZE;
    pendingBits -= Integer.SIZE;
  }

  private void makeRoom() {
    if (bytes.length - length < Integer.BYTES) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
  }

  /** Returns the number of bits written. */
  long bits() {
    return (long) Byte.SIZE * length + pendingBits;
  }

  /**
   * Returns all bits written, padded with zeros to a whole byte. Nothing may be written afterwards.
   */
  byte[] toBytes() {
    makeRoom();
    INTS.set(bytes, length, (int) pending);
    return Arrays.copyOf(bytes, length + (pendingBits + Byte.SIZE - 1) / Byte.SIZE);
  }
}
