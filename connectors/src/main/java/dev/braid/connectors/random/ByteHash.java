package dev.braid.connectors.random;

import java.util.zip.CRC32C;

/**
 * A hash of bytes that is the same on every JVM: CRC-32C, whose bits the finaliser of MurmurHash3
 * mixes, as a CRC alone spreads similar texts badly. It is no protection against someone who looks
 * for texts of one hash.
 */
public final class ByteHash {

  /** Number of possible hashes. */
  private static final double HASHES = 0x1p32;

  private ByteHash() {}

  /**
   * Returns whether the hash of bytes is among a share of all hashes: as many bytes are chosen.
   *
   * @param salt tells hashes for different purposes apart
   * @param share from 0 to 1
   */
  public static boolean chooses(byte[] bytes, int salt, double share) {
    return Integer.toUnsignedLong(of(bytes, salt)) < share * HASHES;
  }

  /**
   * Returns the hash of bytes, of which all 32 bits are equally good.
   *
   * @param salt tells hashes for different purposes apart
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
