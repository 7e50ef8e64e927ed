package dev.braid.job.console;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Lock that reserves a folder for results for one run at a time. A second run would move the first
 * run's files away as if they were from an earlier run. The operating system releases the lock when
 * the process ends.
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
   * Locks a folder for this process. On a file system without locks, proceeds without one.
   *
   * @throws UsageException if another run holds the lock
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
      // This file system does not support locks.
    }
    return new OutLock(file, channel);
  }

  /** Returns the locked folder. */
  public Path folder() {
    return file.getParent();
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
    channel.close();
  }
}
