package dev.braid.codec;

/** Reads what a {@link BitWriter} has written, and never beyond it. */
final class BitReader {

  private final byte[] bytes;
  private int next;
  private long pending;
  private int pendingBits;

  BitReader(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * The next bits as a number without a sign, or as all bits of an int.
   *
   * @param count from 0 to 32
   * @throws CorruptPayloadException if there are fewer left
   */
  int read(int count) {
    while (pendingBits < count) {
      if (next == bytes.length) {
        throw new CorruptPayloadException("the payload ends after " + bytes.length + " bytes");
      }
      pending |= (bytes[next++] & 0xFFL) << pendingBits;
      pendingBits += Byte.SIZE;
    }
    int value = (int) (pending & ((1L << count) - 1));
    pending >>>= count;
    pendingBits -= count;
    return value;
  }

  /**
   * How many ones there are before the next zero.
   *
   * @throws CorruptPayloadException if there are more than {@code most}
   */
  int readUnary(int most) {
    int ones = 0;
    while (read(1) == 1) {
      if (ones++ == most) {
        throw new CorruptPayloadException("a gap is longer than the range");
      }
    }
    return ones;
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
