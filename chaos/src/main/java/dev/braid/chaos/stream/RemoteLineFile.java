package dev.braid.chaos.stream;

import dev.braid.files.WholeFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lines in a file of a file system such as S3, which cannot append to a file. All lines are kept in
 * memory, and the whole file is rewritten, at most once a second, while there are new lines. It
 * therefore has a lower limit than a file on a disk, and lines beyond it are dropped.
 */
final class RemoteLineFile implements LineQueue.Target {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteLineFile.class);

  private static final long PAUSE_MILLIS = 500;
  private static final long INTERVAL_NANOS = 1_000_000_000L;

  private final Path file;
  private final long maxBytes;
  private final boolean goesOn;
  private final ByteArrayOutputStream content = new ByteArrayOutputStream();
  private boolean isFull;
  private boolean isWritten;
  private boolean isGivenUp;
  private long writtenNanos = System.nanoTime();

  /**
   * Creates a file without accessing it, since its file system may not respond.
   *
   * @param goesOn whether lines are appended to existing ones; else existing ones are deleted
   * @param maxBytes maximum size of the file
   */
  RemoteLineFile(Path file, boolean goesOn, long maxBytes) {
    this.file = file;
    this.goesOn = goesOn;
    this.maxBytes = maxBytes;
  }

  @Override
  public void open() throws InterruptedException {
    if (goesOn) {
      until(this::read);
    }
    until(this::write);
  }

  @Override
  public void deliver(List<String> lines) throws InterruptedException {
    for (String line : lines) {
      byte[] whole = (line + "\n").getBytes(StandardCharsets.UTF_8);
      if (hasRoom(whole.length)) {
        content.writeBytes(whole);
        isWritten = false;
      }
    }
    if (System.nanoTime() - writtenNanos >= INTERVAL_NANOS) {
      rest();
    }
  }

  @Override
  public void rest() throws InterruptedException {
    if (!isWritten) {
      until(this::write);
    }
  }

  /**
   * Writes the last lines, unless writing was abandoned: the file must not replace what the next
   * start of the task has written.
   */
  @Override
  public void end() {
    try {
      if (!isWritten && !isGivenUp) {
        write();
      }
    } catch (IOException e) {
      LOG.warn("{} cannot be written", file, e);
    }
  }

  private boolean hasRoom(int more) {
    if (!isFull && content.size() + more > maxBytes) {
      isFull = true;
      LOG.warn("{} is full, with {} bytes; nothing more is written", file, content.size());
    }
    return !isFull;
  }

  @FunctionalInterface
  private interface Step {
    void take() throws IOException;
  }

  private void until(Step step) throws InterruptedException {
    for (boolean isFirstTry = true; ; isFirstTry = false) {
      try {
        step.take();
        return;
      } catch (IOException e) {
        if (isFirstTry) {
          LOG.warn("{} cannot be read or written; trying again", file, e);
        }
        pause();
      }
    }
  }

  private void pause() throws InterruptedException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      isGivenUp = true;
      throw e;
    }
  }

  private void read() throws IOException {
    FileSystem fileSystem = file.getFileSystem();
    content.reset();
    if (fileSystem.exists(file)) {
      try (InputStream in = fileSystem.open(file)) {
        content.writeBytes(in.readNBytes(Math.toIntExact(maxBytes)));
      }
    }
  }

  private void write() throws IOException {
    WholeFile.write(file.toString(), content::writeTo);
    isWritten = true;
    writtenNanos = System.nanoTime();
  }
}
