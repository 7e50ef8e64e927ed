package dev.braid.codec;

import dev.braid.vector.Slice;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * The plain encoding: every value as a little-endian IEEE 754 float32.
 *
 * <p>Values are copied in whole blocks, through a block small enough to stay in the first-level
 * cache: a stream that takes one float at a time costs several times as much as the copy itself. An
 * instance belongs to one thread.
 */
public final class DenseCodec {

  /** Receives the bytes of all values, block by block, as they are written or read. */
  @FunctionalInterface
  public interface Blocks {

    /** Ignores all bytes. */
    Blocks NONE = (bytes, length) -> {};

    void block(byte[] bytes, int length);
  }

  private static final int BLOCK_FLOATS = 2048;

  private final byte[] bytes = new byte[BLOCK_FLOATS * Float.BYTES];
  private final FloatBuffer floats =
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();

  /** Writes the values of a slice, without their number. */
  public void write(Slice values, DataOutput out) throws IOException {
    write(values, out, Blocks.NONE);
  }

  /** Writes the values of a slice, and passes their bytes to {@code seen}. */
  public void write(Slice values, DataOutput out, Blocks seen) throws IOException {
    int end = values.offset() + values.length();
    for (int i = values.offset(); i < end; i += BLOCK_FLOATS) {
      int count = Math.min(BLOCK_FLOATS, end - i);
      floats.clear().put(values.array(), i, count);
      seen.block(bytes, count * Float.BYTES);
      out.write(bytes, 0, count * Float.BYTES);
    }
  }

  /** Writes all values of a slice at once to a buffer with enough room. */
  public static void write(Slice values, ByteBuffer out) {
    FloatBuffer room = out.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    room.put(values.array(), values.offset(), values.length());
    out.position(out.position() + values.length() * Float.BYTES);
  }

  /** Reads as many values as the slice has elements. */
  public void read(Slice into, DataInput in) throws IOException {
    read(into, in, Blocks.NONE);
  }

  /** Reads as many values as the slice has elements, and passes their bytes to {@code seen}. */
  public void read(Slice into, DataInput in, Blocks seen) throws IOException {
    int end = into.offset() + into.length();
    for (int i = into.offset(); i < end; i += BLOCK_FLOATS) {
      int count = Math.min(BLOCK_FLOATS, end - i);
      in.readFully(bytes, 0, count * Float.BYTES);
      seen.block(bytes, count * Float.BYTES);
      floats.clear().get(into.array(), i, count);
    }
  }
}
