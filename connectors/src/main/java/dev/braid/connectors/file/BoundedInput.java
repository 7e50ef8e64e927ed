package dev.braid.connectors.file;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;

/** A stream that throws an exception if it is longer than its limit. */
public final class BoundedInput extends FilterInputStream {

  private final Supplier<? extends RuntimeException> tooLong;
  private long left;

  /**
   * Creates a stream that reads from another one.
   *
   * @param most highest number of bytes
   * @param tooLong creates the exception for a longer stream
   */
  public BoundedInput(InputStream in, long most, Supplier<? extends RuntimeException> tooLong) {
    super(in);
    this.left = most;
    this.tooLong = tooLong;
  }

  @Override
  public int read() throws IOException {
    int value = in.read();
    count(value < 0 ? 0 : 1);
    return value;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int read = in.read(into, offset, length);
    count(Math.max(0, read));
    return read;
  }

  @Override
  public long skip(long bytes) throws IOException {
    long skipped = in.skip(bytes);
    count(skipped);
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void count(long read) {
    left -= read;
    if (left < 0) {
      throw tooLong.get();
    }
  }
}
