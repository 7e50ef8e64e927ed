package dev.braid.learner.model;

import dev.braid.learner.InvalidModelException;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Reads vectors in the format of {@code Nd4j.write}, of a length that is known beforehand.
 *
 * <p>Such a file has two buffers, the shape and the values. Each is {@code kind length type
 * elements}: kind and type are texts, numbers are big-endian. ND4J's own reader trusts the length,
 * the type and the strides, and allocates native memory for them.
 */
final class VectorReader {

  /**
   * Buffer kinds of ND4J's first versions, whose length is an int; the length of other kinds is a
   * long.
   */
  private static final Set<String> INT_KINDS = Set.of("DIRECT", "HEAP", "JAVACPP");

  private static final Set<String> LONG_KINDS = Set.of("LONG_SHAPE", "MIXED_DATA_TYPES");

  private static final int MAX_RANK = 32;

  /** Elements of a shape besides its sizes and strides: the rank and three other numbers. */
  private static final int SHAPE_EXTRAS = 4;

  private static final int BLOCK_BYTES = 1 << 15;

  private VectorReader() {}

  private record Header(long length, String type) {}

  /**
   * Reads a vector.
   *
   * @param length required number of elements
   * @throws IOException if the vector has another length, shape or type, or ends too early; no
   *     memory is allocated for the lengths that the file states
   */
  static float[] read(DataInputStream in, int length) throws IOException {
    checkShape(in, length);
    Header values = header(in);
    if (!values.type().equals("FLOAT")) {
      throw new IOException("data type " + values.type() + ": must be FLOAT");
    }
    checkLength(values.length(), length);
    return floats(in, length);
  }

  private static void checkShape(DataInputStream in, int length) throws IOException {
    Header header = header(in);
    boolean wide = header.type().equals("LONG");
    if (!wide && !header.type().equals("INT")) {
      throw new IOException("a shape of type " + header.type() + ": must be LONG or INT");
    }
    long rank = wide ? in.readLong() : in.readInt();
    if (rank < 0 || rank > MAX_RANK || header.length() != 2 * rank + SHAPE_EXTRAS) {
      throw new IOException(
          "a shape of rank " + rank + " cannot have " + header.length() + " numbers");
    }
    long product = 1;
    for (int i = 0; i < rank; i++) {
      long size = wide ? in.readLong() : in.readInt();
      if (product != 1 && size != 1) {
        throw new IOException("a matrix: must be a vector");
      }
      product = product == 1 ? size : product;
    }
    checkLength(product, length);
    // Strides and order do not matter for a vector, whose values are adjacent.
    in.skipNBytes((rank + SHAPE_EXTRAS - 1) * (wide ? Long.BYTES : Integer.BYTES));
  }

  private static Header header(DataInputStream in) throws IOException {
    String kind = in.readUTF();
    if (!INT_KINDS.contains(kind) && !LONG_KINDS.contains(kind)) {
      throw new IOException("not an ND4J array");
    }
    long length = INT_KINDS.contains(kind) ? in.readInt() : in.readLong();
    return new Header(length, InvalidModelException.shorten(in.readUTF()));
  }

  private static void checkLength(long length, int needed) throws IOException {
    if (length != needed) {
      throw new IOException(length + " numbers: must be " + needed);
    }
  }

  private static float[] floats(DataInputStream in, int length) throws IOException {
    float[] values = new float[length];
    byte[] block = new byte[(int) Math.min(BLOCK_BYTES, (long) length * Float.BYTES)];
    for (int done = 0; done < length; ) {
      int count = Math.min(block.length / Float.BYTES, length - done);
      in.readFully(block, 0, count * Float.BYTES);
      ByteBuffer.wrap(block).asFloatBuffer().get(values, done, count);
      done += count;
    }
    return values;
  }
}
