package dev.braid.exchange.state;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;

/** A saved state of a rank's exchange, with its writer and reader. */
public record LastingState(StateKind kind, Writer writer, Reader reader) {

  /** Writer of the state, called while the rank is quiet. */
  @FunctionalInterface
  public interface Writer {
    void write(DataOutput out) throws IOException;
  }

  /** Reader of the state, called before anything else happens. */
  @FunctionalInterface
  public interface Reader {
    void read(DataInput in) throws IOException;
  }

  /** Returns the current state in serialised form. */
  public byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writer.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  /**
   * Restores the state from the result of {@link #toBytes}.
   *
   * @throws IOException if the reader fails or leaves bytes over
   */
  public void fromBytes(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    reader.read(in);
    if (in.available() > 0) {
      throw new IOException(
          "the exchange's state '" + kind.name() + "' has " + in.available() + " bytes too many");
    }
  }
}
