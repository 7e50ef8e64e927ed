package dev.braid.connectors.random;

import java.util.zip.CRC32C;

/**
 * A hash of bytes that is the same on every JVM: CRC-32C, followed by the finaliser of MurmurHash3,
 * because a CRC alone distributes similar texts badly. It does not protect against someone who
 * searches for texts with the same hash.
 */
public final class ByteHash {

  /** Number of possible hashes. */
  private static final double HASHES = 0x1p32;

  private ByteHash() {}

  /**
   * Returns whether the hash of bytes is among a share of all hashes, so that this share of all
   * byte sequences is chosen.
   *
   * @param salt distinguishes hashes for different purposes
   * @param share from 0 to 1
   */
  public static boolean chooses(byte[] bytes, int salt, double share) {
    return Integer.toUnsignedLong(of(bytes, salt)) < share * HASHES;
  }

  /**
   * Returns the hash of bytes; all 32 bits are equally well mixed.
   *
   * @param salt distinguishes hashes for different purposes
   */
  public static int of(byte[] bytes, int salt) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return mix((int) crc.getValue() ^ salt);
  }

  private static int mix(int value) {
    int h = value;
    h = (h ^ (h >>> 16)) * 0x85ebca6b;
    h = (h ^ (h >>> 13)) * 0xc2b2ae35;
    return h ^ (h >>> 16);
  }
}
