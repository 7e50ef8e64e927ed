package dev.braid.job.restore;

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
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.SnappyStreamCompressionDecorator;
import org.apache.flink.types.StringValue;

/**
 * Reader for lists of byte arrays, and maps of texts to byte arrays, in Flink's operator state,
 * compressed or not, without a state backend.
 */
final class SavedElements {

  /**
   * First version of Flink's header of operator state that records whether the state is compressed.
   */
  private static final int SAYS_IF_COMPRESSED = 6;

  /** Upper bound of Snappy's expansion: its densest form encodes 64 bytes in 3. */
  private static final int MOST_EXPANSION = 22;

  private SavedElements() {}

  /**
   * Consumer of an element of a list, or of a value of a map.
   *
   * <p>It receives elements one after another, because all of them together may be large.
   */
  interface Reader {
    void read(byte[] element) throws IOException;
  }

  /** Reads the elements of the state with a name; none if there is no such state. */
  static void forEach(OperatorStateHandle handle, String name, Reader reader) throws IOException {
    read(handle, name, Long.MAX_VALUE, reader);
  }

  /** Returns the first element of the state with a name; does not read the others. */
  static Optional<byte[]> first(OperatorStateHandle handle, String name) throws IOException {
    List<byte[]> first = new ArrayList<>();
    read(handle, name, 1, first::add);
    return first.stream().findFirst();
  }

  private static void read(OperatorStateHandle handle, String name, long most, Reader reader)
      throws IOException {
    OperatorStateHandle.StateMetaInfo place = handle.getStateNameToPartitionOffsets().get(name);
    if (place == null) {
      return;
    }
    long[] offsets = place.getOffsets();
    checkOffsets(offsets);
    try (var file = handle.openInputStream()) {
      boolean compressed = isCompressed(new DataInputStream(file));
      // Elements do not overlap, so all together are no longer than the state.
      long left = handle.getStateSize() * (compressed ? MOST_EXPANSION : 1);
      for (int i = 0; i < Math.min(offsets.length, most); i++) {
        file.seek(offsets[i]);
        InputStream in = compressed ? decompressedBlocks(file) : file;
        left = read(new DataInputStream(in), place.getDistributionMode(), left, reader);
      }
    }
  }

  /**
   * Reads one element of a list, or a whole map.
   *
   * @param most upper bound of the bytes to read
   * @return the number of bytes left of the bound
   */
  private static long read(
      DataInputStream in, OperatorStateHandle.Mode mode, long most, Reader reader)
      throws IOException {
    boolean isMap = mode == OperatorStateHandle.Mode.BROADCAST;
    int count = isMap ? in.readInt() : 1;
    long left = most;
    for (int i = 0; i < count; i++) {
      if (isMap) {
        StringValue.readString(new DataInputViewStreamWrapper(in));
      }
      byte[] element = bytes(in, left);
      left -= element.length;
      reader.read(element);
    }
    return left;
  }

  private static void checkOffsets(long[] offsets) throws IOException {
    if (LongStream.of(offsets).anyMatch(offset -> offset < 0)) {
      throw new IOException("an element in front of its file");
    }
    if (LongStream.of(offsets).distinct().count() < offsets.length) {
      throw new IOException("two elements in one place");
    }
  }

  private static boolean isCompressed(DataInputStream in) throws IOException {
    return in.readInt() >= SAYS_IF_COMPRESSED && in.readBoolean();
  }

  /**
   * Returns the decompressed content from an element on. An element begins a block, but only the
   * first block of a file has a header before it, so a header is put in front.
   */
  private static InputStream decompressedBlocks(InputStream file) throws IOException {
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    try (OutputStream nothing =
        SnappyStreamCompressionDecorator.INSTANCE.decorateWithCompression(header)) {
      nothing.flush();
    }
    return decompressed(
        new SequenceInputStream(new ByteArrayInputStream(header.toByteArray()), file));
  }

  /** Returns the decompressed content of a file. */
  static InputStream decompressed(InputStream file) throws IOException {
    return SnappyStreamCompressionDecorator.INSTANCE.decorateWithCompression(
        new SnappyFrames(file));
  }

  /**
   * Reads a length and as many bytes. A forged length allocates no memory.
   *
   * @param most largest length accepted
   */
  static byte[] bytes(DataInputStream in, long most) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > most) {
      throw new IOException(length + " bytes of state");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException(bytes.length + " of " + length + " bytes of state");
    }
    return bytes;
  }
}
