package dev.braid.job.restore;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Stream of Snappy's frames that checks each frame before Snappy's reader receives it. The reader
 * would allocate as much memory as a block claims to need, up to 2 GiB.
 *
 * <p>Source: Snappy's framing format, sections 1, 2 and 4.2.
 */
final class SnappyFrames extends InputStream {

  private static final int COMPRESSED = 0;

  /** Maximum uncompressed size of a block. */
  private static final int MOST_BYTES = 1 << 16;

  private static final int HEAD_BYTES = 4;
  private static final int CHECKSUM_BYTES = 4;

  private final InputStream file;
  private InputStream frame = InputStream.nullInputStream();

  SnappyFrames(InputStream file) {
    this.file = file;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    int read = frame.read(bytes, offset, length);
    if (read < 0 && next()) {
      read = frame.read(bytes, offset, length);
    }
    return read;
  }

  /** Reads the next frame; returns false at the end. */
  private boolean next() throws IOException {
    byte[] head = file.readNBytes(HEAD_BYTES);
    if (head.length < HEAD_BYTES) {
      return false;
    }
    int length =
        Byte.toUnsignedInt(head[1])
            | Byte.toUnsignedInt(head[2]) << 8
            | Byte.toUnsignedInt(head[3]) << 16;
    byte[] body = file.readNBytes(length);
    if (body.length < length) {
      throw new EOFException(body.length + " of a frame's " + length + " bytes");
    }
    if (head[0] == COMPRESSED) {
      checkBlock(body);
    }
    frame =
        new ByteArrayInputStream(
            ByteBuffer.allocate(HEAD_BYTES + length).put(head).put(body).array());
    return true;
  }

  /**
   * Checks the uncompressed length of a block, which is encoded at its beginning, seven bits per
   * byte, the lowest first.
   */
  private static void checkBlock(byte[] body) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(body));
    in.skipNBytes(CHECKSUM_BYTES);
    long length = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      int bits = in.readUnsignedByte();
      length |= (bits & 0x7fL) << shift;
      if (bits < 0x80) {
        break;
      }
    }
    if (length > MOST_BYTES) {
      throw new IOException("a block of " + length + " bytes");
    }
  }
}
