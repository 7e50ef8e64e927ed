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
 * Standard output of this process. When the reader of a pipe is gone, as in {@code braid evaluate …
 * | head -1}, it ends the process silently. The operating system would do so with SIGPIPE, but Java
 * turns the signal into an exception, and print streams swallow it.
 */
public final class StandardOutput extends FilterOutputStream {

  private static final String BROKEN = "Broken pipe";
  private static final String RESET = "Connection reset";
  private static final int BUFFER_BYTES = 8192;

  private final Runnable whenClosed;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param whenClosed runs once, in the thread of the first write that fails
   */
  StandardOutput(OutputStream out, Runnable whenClosed) {
    super(out);
    this.whenClosed = whenClosed;
  }

  /** Replaces {@code System.out}. */
  public static StandardOutput ofProcess() {
    StandardOutput output =
        new StandardOutput(
            new FileOutputStream(FileDescriptor.out),
            // In a separate thread, because shutdown hooks may print.
            () -> new Thread(() -> System.exit(ExitCodes.OUTPUT_CLOSED), "braid-unread").start());
    System.setOut(new PrintStream(new BufferedOutputStream(output, BUFFER_BYTES), true, charset()));
    return output;
  }

  /** Returns the charset of Java's own standard output, which has no accessor in Java 17. */
  private static Charset charset() {
    String name =
        System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding", ""));
    return name.isEmpty() || !Charset.isSupported(name)
        ? Charset.defaultCharset()
        : Charset.forName(name);
  }

  /** Returns whether the reader of the output is gone. */
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
   * Returns whether the reader is gone. A full non-blocking pipe fails, too, but still has its
   * reader, as does a socket whose other end restarts.
   */
  private static boolean isUnread(IOException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains(BROKEN) || message.contains(RESET);
  }
}
