package dev.braid.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads the output of a {@link BitWriter}, and never reads beyond its end. */
final class BitReader {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Number of pending bits to which bytes are read ahead: more than one read takes. */
  private static final int MOST_PENDING = Long.SIZE - Byte.SIZE;

  private final byte[] bytes;
  private int next;

  /** Bits that are already read from the array, the next one lowest; higher bits are 0. */
  private long pending;

  private int pendingBits;

  BitReader(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Reads ahead until more bits are pending than one read takes, or until the end. */
  private void refill() {
    if (next + Long.BYTES <= bytes.length) {
      int more = (MOST_PENDING - pendingBits) / Byte.SIZE;
      long word = (long) LONGS.get(bytes, next);
      pending |= (word & ((1L << (more * Byte.SIZE)) - 1)) << pendingBits;
      next += more;
      pendingBits += more * Byte.SIZE;
    } else {
      while (pendingBits < MOST_PENDING && next < bytes.length) {
        pending |= (bytes[next++] & 0xFFL) << pendingBits;
        pendingBits += Byte.SIZE;
      }
    }
  }

  /**
   * Returns the next bits as an unsigned number. If {@code count} is 32, they are all bits of an
   * int.
   *
   * @param count number of bits, 0 to 32
   * @throws CorruptPayloadException if fewer bits are left
   */
  int read(int count) {
    if (pendingBits < count) {
      refill();
      if (pendingBits < count) {
        throw ended();
      }
    }
    int value = (int) (pending & ((1L << count) - 1));
    pending >>>= count;
    pendingBits -= count;
    return value;
  }

  private CorruptPayloadException ended() {
    return new CorruptPayloadException("the payload ends after " + bytes.length + " bytes");
  }

  /**
   * Returns the number of ones before the next zero, and skips that zero.
   *
   * @throws CorruptPayloadException if there are more than {@code most} ones, or no zero
   */
  int readUnary(int most) {
    int ones = 0;
    while (true) {
      if (pendingBits == 0) {
        refill();
        if (pendingBits == 0) {
          throw ended();
        }
      }
      // Bits beyond the pending ones are 0, so a run of ones ends with the pending bits.
      int run = Long.numberOfTrailingZeros(~pending);
      ones += run;
      if (ones > most) {
        throw new CorruptPayloadException("a gap is longer than the range");
      }
      if (run < pendingBits) {
        pending >>>= run + 1;
        pendingBits -= run + 1;
        return ones;
      }
      pending = 0;
      pendingBits = 0;
    }
  }

  /** Returns how many bits are left. */
  long bitsLeft() {
    return (long) Byte.SIZE * (bytes.length - next) + pendingBits;
  }

  /**
   * Checks that nothing is left but the zeros that fill the last byte.
   *
   * @throws CorruptPayloadException if anything else is left
   */
  void end() {
    if (bitsLeft() >= Byte.SIZE || pending != 0) {
      throw new CorruptPayloadException(
          bitsLeft() + " bits follow the values: must be fewer than 8, and all 0");
    }
  }
}
