package dev.braid.job.console;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps a folder for results to one run at a time: a second would put aside what the first has
 * written, and take it for an earlier run's. The operating system gives the lock back whenever the
 * process ends.
 */
public final class OutLock implements AutoCloseable {

  private static final String FILE = ".braid.lock";

  private final Path file;
  private final FileChannel channel;

  private OutLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Takes a folder for this process. Where its file system knows no locks, it does without.
   *
   * @throws UsageException if another run has it
   */
  public static OutLock take(Path out) throws IOException {
    Path file = out.resolve(FILE);
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
        throw new UsageException(
            "--out "
                + Places.shown(out)
                + ": another run is writing to this folder; give another one");
      }
    } catch (IOException e) {
      // None can be had here.
    }
    return new OutLock(file, channel);
  }

  /** What is locked. */
  public Path folder() {
    return file.getParent();
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
    channel.close();
  }
}
