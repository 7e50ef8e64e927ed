package dev.braid.exchange.state;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;

/** A state of a rank's exchange, with who writes and reads it. */
public record LastingState(StateKind kind, Writer writer, Reader reader) {

  /** Writes what lasts, while the rank is quiet. */
  @FunctionalInterface
  public interface Writer {
    void write(DataOutput out) throws IOException;
  }

  /** Reads that before anything else happens. */
  @FunctionalInterface
  public interface Reader {
    void read(DataInput in) throws IOException;
  }

  /** What it is now. */
  public byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writer.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  /** Reads all of what {@link #toBytes} gave. */
  public void fromBytes(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    reader.read(in);
    if (in.available() > 0) {
      throw new IOException(
          "the exchange's state '" + kind.name() + "' has " + in.available() + " bytes too many");
    }
  }
}
