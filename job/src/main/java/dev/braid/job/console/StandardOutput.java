package dev.braid.job.console;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * This process's standard output, which ends the process, without a word, when nobody reads it any
 * more: as in {@code braid evaluate … | head -1}. The system would do so, but for Java, which makes
 * an exception of the signal, of which print streams say nothing.
 */
public final class StandardOutput extends FilterOutputStream {

  private static final String BROKEN = "Broken pipe";
  private static final String RESET = "Connection reset";
  private static final int BUFFER_BYTES = 8192;

  private final Runnable whenClosed;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param whenClosed is called once, by whoever has written in vain
   */
  StandardOutput(OutputStream out, Runnable whenClosed) {
    super(out);
    this.whenClosed = whenClosed;
  }

  /** Takes the place of {@code System.out}. */
  public static StandardOutput ofProcess() {
    StandardOutput output =
        new StandardOutput(
            new FileOutputStream(FileDescriptor.out),
            // In a thread of its own: what ends with the process may have something to print.
            () -> new Thread(() -> System.exit(ExitCodes.OUTPUT_CLOSED), "braid-unread").start());
    System.setOut(new PrintStream(new BufferedOutputStream(output, BUFFER_BYTES), true, charset()));
    return output;
  }

  /** That of Java's own, which Java 17 does not tell. */
  private static Charset charset() {
    String name =
        System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding", ""));
    return name.isEmpty() || !Charset.isSupported(name)
        ? Charset.defaultCharset()
        : Charset.forName(name);
  }

  /** Whether nobody reads it any more. */
  public boolean isClosed() {
    return closed.get();
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (isClosed()) {
      return;
    }
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      if (!isUnread(e)) {
        throw e;
      }
      if (closed.compareAndSet(false, true)) {
        whenClosed.run();
      }
    }
  }

  /**
   * Whether the reader is gone. A pipe that is full, as one that does not block may be, has one
   * still, and so has a socket whose other end begins anew.
   */
  private static boolean isUnread(IOException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains(BROKEN) || message.contains(RESET);
  }
}
