package dev.braid.job;

import java.io.IOException;
import java.net.URI;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/**
 * The local disk under another scheme, {@code faulty:///…}, which a test can make full or
 * unresponsive. Flink finds its factory as for any file system.
 */
final class FaultyDisk extends LocalFileSystem {

  private static final String SCHEME = "faulty";
  private static final Switch SWITCH = new Switch();

  enum Condition {
    SOUND,
    FULL,
    SILENT
  }

  /** Switch for the single disk of this JVM. */
  private static final class Switch {
    private Condition condition = Condition.SOUND;

    synchronized void turn(Condition to) {
      condition = to;
      notifyAll();
    }

    synchronized void pass() throws IOException {
      try {
        while (condition == Condition.SILENT) {
          wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
      if (condition == Condition.FULL) {
        throw new IOException("No space left on device");
      }
    }
  }

  /** Sets the condition of the disk. */
  static void is(Condition condition) {
    SWITCH.turn(condition);
  }

  static String uri(java.nio.file.Path path) {
    return SCHEME + "://" + path;
  }

  @Override
  public URI getUri() {
    return URI.create(SCHEME + ":///");
  }

  @Override
  public boolean isDistributedFS() {
    return true;
  }

  @Override
  public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
    SWITCH.pass();
    return super.create(path, mode);
  }

  /** Factory that makes the file system known to Flink. */
  public static final class Factory implements FileSystemFactory {
    @Override
    public String getScheme() {
      return SCHEME;
    }

    @Override
    public FileSystem create(URI uri) {
      return new FaultyDisk();
    }

    @Override
    public void configure(Configuration configuration) {}
  }
}
