package dev.braid.wire;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The CRC-32C at the end of every piece of state in a checkpoint. If a disk changed a bit of a
 * weight, the model would differ without notice: Flink writes checksums into compressed state, but
 * does not verify them when it reads.
 */
public final class StateChecksum {

  /** Length of the checksum, in bytes. */
  public static final int BYTES = Integer.BYTES;

  private StateChecksum() {}

  /** Returns a copy of the bytes, followed by their checksum. */
  public static byte[] sealed(byte[] bytes) {
    byte[] state = Arrays.copyOf(bytes, bytes.length + BYTES);
    seal(state);
    return state;
  }

  /** Writes the checksum into the last bytes of a state. It covers all bytes before them. */
  public static void seal(byte[] state) {
    int end = state.length - BYTES;
    ByteBuffer.wrap(state).putInt(end, of(state, end));
  }

  /**
   * Verifies a sealed state, and returns a stream of its bytes without the checksum.
   *
   * @param name name of the state in the error message
   * @throws DamagedStateException if the bytes are not those that were sealed
   */
  public static DataInputStream open(String name, byte[] state) throws DamagedStateException {
    return new DataInputStream(new ByteArrayInputStream(state, 0, checkedEnd(name, state)));
  }

  /**
   * Verifies a sealed state, and returns a buffer of its bytes without the checksum, for state that
   * contains arrays of numbers.
   *
   * @param name name of the state in the error message
   * @throws DamagedStateException if the bytes are not those that were sealed
   */
  public static ByteBuffer openBuffer(String name, byte[] state) throws DamagedStateException {
    return ByteBuffer.wrap(state, 0, checkedEnd(name, state));
  }

  private static int checkedEnd(String name, byte[] state) throws DamagedStateException {
    int end = state.length - BYTES;
    if (end < 0) {
      throw new DamagedStateException(
          name,
          "it has %d bytes: must be at least the %d of its checksum"
              .formatted(state.length, BYTES));
    }
    int sealed = ByteBuffer.wrap(state).getInt(end);
    int found = of(state, end);
    if (found != sealed) {
      throw new DamagedStateException(
          name,
          "the checksum of its %d bytes is %08x, but was %08x when it was saved"
              .formatted(end, found, sealed));
    }
    return end;
  }

  private static int of(byte[] state, int length) {
    CRC32C crc = new CRC32C();
    crc.update(state, 0, length);
    return (int) crc.getValue();
  }
}
