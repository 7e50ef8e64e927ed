package dev.braid.exchange.state;

import dev.braid.vector.Vectors;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Serialised form of a state that is a vector of the model's length: its values in order. */
public final class StateVectors {

  private StateVectors() {}

  public static void write(DataOutput out, float[] vector) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(vector.length, Float.BYTES));
    bytes.asFloatBuffer().put(vector);
    out.write(bytes.array());
  }

  /** Reads a vector of this length. */
  public static float[] read(DataInput in, int length) throws IOException {
    byte[] bytes = new byte[Math.multiplyExact(length, Float.BYTES)];
    in.readFully(bytes);
    float[] vector = new float[length];
    ByteBuffer.wrap(bytes).asFloatBuffer().get(vector);
    return vector;
  }

  /**
   * Reads a vector of this length.
   *
   * @param what name of the vector in the error message, such as residual
   * @throws IOException if reading fails or an element is not finite
   */
  public static float[] readFinite(DataInput in, int length, String what) throws IOException {
    float[] vector = read(in, length);
    if (!Vectors.allFinite(vector)) {
      throw new IOException("the exchange's state has a " + what + " that is not finite");
    }
    return vector;
  }
}
