package dev.braid.learner.onnx.reader;

import dev.braid.learner.InvalidModelException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import onnx.Onnx.TensorProto;

/**
 * A constant tensor of a graph, row-major.
 *
 * @param sides the dimensions
 * @param floats the numbers, if they are float32; else empty
 * @param wholes the numbers, if they are int64 or int32; else empty
 */
record ConstantTensor(long[] sides, float[] floats, long[] wholes) {

  /** Returns a row of whole numbers. */
  static ConstantTensor row(long... values) {
    return new ConstantTensor(new long[] {values.length}, new float[0], values);
  }

  /**
   * Decodes a tensor.
   *
   * @throws IllegalArgumentException if the numbers do not match the declared shape, have another
   *     type, or are in another file
   */
  static ConstantTensor of(TensorProto tensor) {
    String name = InvalidModelException.shorten(tensor.getName());
    if (tensor.getDataLocation() == TensorProto.DataLocation.EXTERNAL
        || tensor.getExternalDataCount() > 0) {
      throw new IllegalArgumentException(
          "tensor %s is in another file; use torch.onnx.export(…, external_data=False)"
              .formatted(name));
    }
    TensorProto.DataType type = TensorProto.DataType.forNumber(tensor.getDataType());
    long[] sides = tensor.getDimsList().stream().mapToLong(Long::longValue).toArray();
    ByteBuffer raw = tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    boolean isRaw = raw.hasRemaining();
    if (type == TensorProto.DataType.FLOAT) {
      checkLength(name, sides, isRaw ? raw.remaining() : 4L * tensor.getFloatDataCount(), 4);
      float[] values = new float[isRaw ? raw.remaining() / 4 : tensor.getFloatDataCount()];
      for (int i = 0; i < values.length; i++) {
        values[i] = isRaw ? raw.getFloat() : tensor.getFloatData(i);
      }
      return new ConstantTensor(sides, values, new long[0]);
    }
    if (type == TensorProto.DataType.INT64) {
      checkLength(name, sides, isRaw ? raw.remaining() : 8L * tensor.getInt64DataCount(), 8);
      long[] values = new long[isRaw ? raw.remaining() / 8 : tensor.getInt64DataCount()];
      for (int i = 0; i < values.length; i++) {
        values[i] = isRaw ? raw.getLong() : tensor.getInt64Data(i);
      }
      return new ConstantTensor(sides, new float[0], values);
    }
    throw new IllegalArgumentException(
        ("tensor %s has elements of type %s: must be FLOAT (float32); in PyTorch, model.float() "
                + "converts a model")
            .formatted(name, type));
  }

  private static void checkLength(String name, long[] sides, long bytes, int size) {
    // As doubles, so that a product that exceeds a long remains far above any number of bytes.
    double declared = Arrays.stream(sides).asDoubleStream().reduce(size, (a, b) -> a * b);
    if (declared != bytes || Arrays.stream(sides).anyMatch(side -> side < 0)) {
      throw new IllegalArgumentException(
          "tensor %s has %d bytes of numbers, which do not match its shape %s"
              .formatted(name, bytes, Arrays.toString(sides)));
    }
  }

  /** Returns a matrix with rows and columns exchanged. */
  ConstantTensor transposed() {
    int rows = Math.toIntExact(sides[0]);
    int columns = Math.toIntExact(sides[1]);
    float[] values = new float[floats.length];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        values[column * rows + row] = floats[row * columns + column];
      }
    }
    return new ConstantTensor(new long[] {columns, rows}, values, wholes);
  }
}
