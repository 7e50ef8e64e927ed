package dev.braid.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads what a {@link BitWriter} has written, and never beyond it. */
final class BitReader {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** More than are wanted at once. */
  private static final int MOST_PENDING = Long.SIZE - Byte.SIZE;

  private final byte[] bytes;
  private int next;

  /** Bits that are read already, the next one lowest; 0 beyond them. */
  private long pending;

  private int pendingBits;

  BitReader(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Reads on until more bits are pending than are wanted at once, or until the end. */
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
   * The next bits as a number without a sign, or as all bits of an int.
   *
   * @param count from 0 to 32
   * @throws CorruptPayloadException if there are fewer left
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
   * How many ones there are before the next zero.
   *
   * @throws CorruptPayloadException if there are more than {@code most}
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
      // What is beyond the pending bits is 0, so that a run of ones ends with them.
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

  /** How many bits are left. */
  long bitsLeft() {
    return (long) Byte.SIZE * (bytes.length - next) + pendingBits;
  }

  /**
   * Nothing but the zeros that fill the last byte may be left.
   *
   * @throws CorruptPayloadException if something else is
   */
  void end() {
    if (bitsLeft() >= Byte.SIZE || pending != 0) {
      throw new CorruptPayloadException(bitsLeft() + " bits are left behind the values");
    }
  }
}
