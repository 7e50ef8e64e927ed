package dev.braid.wire;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The CRC-32C behind a state's bytes. A bit that a disk has changed in a weight would make another
 * model of it, and nobody would know: Flink writes checksums into compressed state, and does not
 * look at them when it reads.
 */
public final class StateChecksum {

  /** How long it is. */
  public static final int BYTES = Integer.BYTES;

  private StateChecksum() {}

  /** The same bytes with it behind them. */
  public static byte[] sealed(byte[] bytes) {
    byte[] state = Arrays.copyOf(bytes, bytes.length + BYTES);
    seal(state);
    return state;
  }

  /** Writes it into the last bytes of a state; it is of all those before them. */
  public static void seal(byte[] state) {
    int end = state.length - BYTES;
    ByteBuffer.wrap(state).putInt(end, of(state, end));
  }

  /**
   * Begins to read a sealed state, from its first byte to the checksum.
   *
   * @throws IOException if its bytes are not those that were sealed
   */
  public static DataInputStream open(byte[] state) throws IOException {
    return new DataInputStream(new ByteArrayInputStream(state, 0, checkedEnd(state)));
  }

  /** The same, to read arrays of numbers from. */
  public static ByteBuffer openBuffer(byte[] state) throws IOException {
    return ByteBuffer.wrap(state, 0, checkedEnd(state));
  }

  private static int checkedEnd(byte[] state) throws IOException {
    int end = state.length - BYTES;
    if (end < 0) {
      throw new IOException("state is damaged: it has " + state.length + " bytes");
    }
    int sealed = ByteBuffer.wrap(state).getInt(end);
    int found = of(state, end);
    if (found != sealed) {
      throw new IOException(
          ("state is damaged: the checksum of its %d bytes is %08x, and was %08x when it was saved;"
                  + " another checkpoint is needed")
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
