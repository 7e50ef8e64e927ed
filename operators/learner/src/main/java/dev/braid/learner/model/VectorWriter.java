package dev.braid.learner.model;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes vectors byte for byte as {@code Nd4j.write} does; {@link VectorReader} describes the
 * format.
 *
 * <p>ND4J's own writer reads number after number from native memory, into which a vector has to be
 * copied first.
 */
final class VectorWriter {

  private static final String KIND = "MIXED_DATA_TYPES";

  /** ND4J's mark of float arrays in a shape. */
  private static final long FLOATS = 1 << 13;

  private static final int BLOCK_BYTES = 1 << 16;

  private VectorWriter() {}

  /**
   * Writes values as a matrix of one row, the form in which Deeplearning4j stores a model's
   * weights.
   */
  static void writeRow(float[] values, DataOutputStream out) throws IOException {
    write(new long[] {2, 1, values.length, 1, 1, FLOATS, 1, 'c'}, values, out);
  }

  /** Writes values as a vector, the form in which Deeplearning4j reads an optimiser's state. */
  static void write(float[] values, DataOutputStream out) throws IOException {
    write(new long[] {1, values.length, 1, FLOATS, 1, 'c'}, values, out);
  }

  /**
   * Writes an array.
   *
   * @param shape the rank, the sizes, the strides, the type, the distance between adjacent values,
   *     and the order
   */
  private static void write(long[] shape, float[] values, DataOutputStream out) throws IOException {
    writeHeader(shape.length, "LONG", out);
    for (long number : shape) {
      out.writeLong(number);
    }
    writeHeader(values.length, "FLOAT", out);
    byte[] block = new byte[(int) Math.min(BLOCK_BYTES, (long) values.length * Float.BYTES)];
    for (int done = 0; done < values.length; ) {
      int count = Math.min(block.length / Float.BYTES, values.length - done);
      ByteBuffer.wrap(block).asFloatBuffer().put(values, done, count);
      out.write(block, 0, count * Float.BYTES);
      done += count;
    }
  }

  private static void writeHeader(long length, String type, DataOutputStream out)
      throws IOException {
    out.writeUTF(KIND);
    out.writeLong(length);
    out.writeUTF(type);
  }
}
