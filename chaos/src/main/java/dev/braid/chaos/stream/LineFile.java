package dev.braid.chaos.stream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends lines to a file, each immediately, since users watch it; if the disk is full, when there
 * is room again. Lines beyond the limit of the file are dropped.
 */
final class LineFile implements LineQueue.Target {

  private static final Logger LOG = LoggerFactory.getLogger(LineFile.class);

  private static final long PAUSE_MILLIS = 500;

  private final Path file;
  private final long maxBytes;
  private boolean goesOn;
  private boolean isFull;
  private long delivered;
  private Optional<FileChannel> opened = Optional.empty();

  /**
   * Creates a file without opening it, since its disk may not respond.
   *
   * @param goesOn whether lines are appended to existing ones; else existing ones are deleted
   * @param maxBytes maximum number of bytes to add
   */
  LineFile(Path file, boolean goesOn, long maxBytes) {
    this.file = file.toAbsolutePath();
    this.maxBytes = maxBytes;
    this.goesOn = goesOn;
  }

  @Override
  public void open() throws InterruptedException {
    write(ByteBuffer.allocate(0));
  }

  @Override
  public void deliver(List<String> lines) throws InterruptedException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String line : lines) {
      byte[] whole = (line + "\n").getBytes(StandardCharsets.UTF_8);
      if (hasRoom(whole.length)) {
        bytes.writeBytes(whole);
      }
    }
    write(ByteBuffer.wrap(bytes.toByteArray()));
  }

  private boolean hasRoom(int more) {
    if (!isFull && delivered + more > maxBytes) {
      isFull = true;
      LOG.warn("{} is full, with {} bytes; nothing more is written", file, delivered);
    }
    delivered += isFull ? 0 : more;
    return !isFull;
  }

  private void write(ByteBuffer bytes) throws InterruptedException {
    boolean isFirstTry = true;
    while (!write(bytes.rewind(), isFirstTry)) {
      isFirstTry = false;
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }

  private boolean write(ByteBuffer bytes, boolean isFirstTry) {
    try {
      append(bytes);
      return true;
    } catch (IOException e) {
      if (isFirstTry) {
        LOG.warn("{} cannot be written; trying again", file, e);
      }
      end();
      return false;
    }
  }

  private void append(ByteBuffer bytes) throws IOException {
    FileChannel channel = channel();
    long length = channel.size();
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      shorten(channel, length, e);
      throw e;
    }
  }

  /** Removes lines that were written only in part, since all of them are written again. */
  private static void shorten(FileChannel channel, long length, IOException failure) {
    try {
      channel.truncate(length);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private FileChannel channel() throws IOException {
    if (opened.isEmpty()) {
      Files.createDirectories(file.getParent());
      FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              goesOn ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING);
      opened = Optional.of(channel);
      goesOn = true;
    }
    return opened.get();
  }

  @Override
  public void end() {
    try {
      if (opened.isPresent()) {
        opened.get().close();
      }
    } catch (IOException e) {
      LOG.warn("{} cannot be closed", file, e);
    }
    opened = Optional.empty();
  }
}
