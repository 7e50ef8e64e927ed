package dev.braid.job;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.SnappyStreamCompressionDecorator;

/**
 * Reads list states of byte arrays from where Flink has put them, compressed or not, without a
 * backend.
 */
final class SavedElements {

  /** From this version of what Flink writes in front of operator state, it says if it is plain. */
  private static final int SAYS_IF_COMPRESSED = 6;

  private SavedElements() {}

  /** The elements of the state of this name; none, if there is no such state. */
  static List<byte[]> of(OperatorStateHandle handle, String name) throws IOException {
    OperatorStateHandle.StateMetaInfo place = handle.getStateNameToPartitionOffsets().get(name);
    if (place == null) {
      return List.of();
    }
    List<byte[]> elements = new ArrayList<>();
    try (var file = handle.openInputStream()) {
      boolean compressed = isCompressed(new DataInputStream(file));
      for (long offset : place.getOffsets()) {
        file.seek(offset);
        elements.add(bytes(new DataInputStream(compressed ? decompressed(file) : file)));
      }
    }
    return elements;
  }

  private static boolean isCompressed(DataInputStream in) throws IOException {
    return in.readInt() >= SAYS_IF_COMPRESSED && in.readBoolean();
  }

  /** An element begins a block, and only the first block of a file has a header in front of it. */
  private static InputStream decompressed(InputStream file) throws IOException {
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    try (OutputStream nothing =
        SnappyStreamCompressionDecorator.INSTANCE.decorateWithCompression(header)) {
      nothing.flush();
    }
    return SnappyStreamCompressionDecorator.INSTANCE.decorateWithCompression(
        new SequenceInputStream(new ByteArrayInputStream(header.toByteArray()), file));
  }

  /** Reads a length and as many bytes; a length that is forged takes no memory. */
  static byte[] bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0) {
      throw new IOException(length + " bytes of state");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException(bytes.length + " of " + length + " bytes of state");
    }
    return bytes;
  }
}
