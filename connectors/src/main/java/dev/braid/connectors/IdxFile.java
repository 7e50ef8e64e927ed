package dev.braid.connectors;

import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidDataException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A file of unsigned bytes in the IDX format of the MNIST database: {@code 0 0 type dimensions},
 * then the size of each dimension as a big-endian int, then the bytes.
 *
 * @param name the file's name, for messages
 * @param sizes the size of each dimension, at least 1 each
 * @param content the bytes, in row-major order; empty if only the header was read
 */
record IdxFile(String name, int[] sizes, byte[] content) {

  private static final int UNSIGNED_BYTE = 0x08;

  /**
   * Highest size of an image's side, or number of channels; a greater number is a mistake in the
   * header.
   */
  private static final int MAX_SIDE = 1 << 16;

  /** Reads a whole file, with {@code least} to {@code most} dimensions. */
  static IdxFile read(DataFile file, int least, int most) {
    return read(file, least, most, true);
  }

  /** Reads a file's header. */
  static IdxFile readHeader(DataFile file, int least, int most) {
    return read(file, least, most, false);
  }

  private static IdxFile read(DataFile file, int least, int most, boolean whole) {
    try (InputStream in = file.open()) {
      int dimensions = readMagic(file, in, least, most);
      int[] sizes = readSizes(file, in, dimensions);
      byte[] content = new byte[0];
      int length = contentLength(file, sizes);
      if (whole) {
        content = new byte[length];
        int read = readContent(file, in, content);
        if (read < length) {
          throw new InvalidDataException(
              file.name() + ": truncated: " + read + " of " + length + " bytes after the header");
        }
        // Reading to the end also makes gzip verify its checksum.
        if (in.read() != -1) {
          throw new InvalidDataException(
              file.name()
                  + ": has bytes after the end: the header "
                  + describe(sizes)
                  + " means "
                  + length
                  + " bytes");
        }
      }
      return new IdxFile(file.name(), sizes, content);
    } catch (IOException e) {
      throw file.failure(e);
    }
  }

  /** Returns the number of items, which is the first dimension. */
  int count() {
    return sizes[0];
  }

  private static int readMagic(DataFile file, InputStream in, int least, int most)
      throws IOException {
    int magic = ByteBuffer.wrap(readHeaderBytes(file, in, Integer.BYTES)).getInt();
    int dimensions = magic & 0xff;
    if (magic >>> 8 != UNSIGNED_BYTE || dimensions < least || dimensions > most) {
      String expected = String.format("0x%08x", UNSIGNED_BYTE << 8 | least);
      if (most > least) {
        expected += String.format(" to 0x%08x", UNSIGNED_BYTE << 8 | most);
      }
      throw new InvalidDataException(
          String.format(
              "%s: starts with 0x%08x: IDX %s start with %s",
              file.name(), magic, most == 1 ? "labels" : "images", expected));
    }
    return dimensions;
  }

  private static int[] readSizes(DataFile file, InputStream in, int dimensions) throws IOException {
    ByteBuffer header = ByteBuffer.wrap(readHeaderBytes(file, in, dimensions * Integer.BYTES));
    int[] sizes = new int[dimensions];
    for (int i = 0; i < dimensions; i++) {
      sizes[i] = header.getInt();
    }
    if (sizes[0] == 0) {
      throw new InvalidDataException(file.name() + ": has no samples; needs at least 1");
    }
    for (int i = 0; i < dimensions; i++) {
      if (sizes[i] < 1 || (i > 0 && sizes[i] > MAX_SIDE)) {
        throw new InvalidDataException(
            file.name()
                + ": dimensions "
                + describe(sizes)
                + ": each side must be 1 to "
                + MAX_SIDE);
      }
    }
    return sizes;
  }

  /** Returns the length by the header, after a comparison with the file's size. */
  private static int contentLength(DataFile file, int[] sizes) {
    long header = Integer.BYTES * (1L + sizes.length);
    long most = Math.min(file.mostContentBytes() - header, Integer.MAX_VALUE - 8);
    long length = 1;
    for (int size : sizes) {
      // No overflow: the factor and the previous product are each below 2^31.
      length *= size;
      if (length > most) {
        throw new InvalidDataException(
            file.name()
                + ": truncated, or the header is wrong: "
                + describe(sizes)
                + " bytes cannot be in a file of "
                + file.storedBytes()
                + " bytes");
      }
    }
    return (int) length;
  }

  private static byte[] readHeaderBytes(DataFile file, InputStream in, int length)
      throws IOException {
    byte[] bytes = new byte[length];
    if (readContent(file, in, bytes) < length) {
      throw new InvalidDataException(file.name() + ": truncated: ends within the IDX header");
    }
    return bytes;
  }

  private static int readContent(DataFile file, InputStream in, byte[] into) throws IOException {
    int read = 0;
    try {
      while (read < into.length) {
        int more = in.read(into, read, into.length - read);
        if (more < 0) {
          break;
        }
        read += more;
      }
    } catch (EOFException e) {
      throw new InvalidDataException(
          file.name()
              + ": truncated: the gzip stream ends after "
              + read
              + " of "
              + into.length
              + " bytes",
          e);
    }
    return read;
  }

  private static String describe(int[] sizes) {
    return String.join("x", Arrays.stream(sizes).mapToObj(Integer::toString).toList());
  }
}
