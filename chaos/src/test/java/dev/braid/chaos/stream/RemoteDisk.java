package dev.braid.chaos.stream;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/**
 * The local disk under another scheme, {@code remote:///…}, which behaves like an object store:
 * renaming to an existing name fails. Flink finds its factory like that of any file system.
 */
public final class RemoteDisk extends LocalFileSystem {

  private static final String SCHEME = "remote";

  private static final String SILENT = "silent";

  /** Returns the URI of a file, from its path on the local disk. */
  public static String uri(java.nio.file.Path path) {
    return SCHEME + "://" + path;
  }

  /**
   * Returns the URI of a file for which the file system does not respond until the caller is
   * interrupted.
   */
  public static String silent(java.nio.file.Path folder) {
    return uri(folder.resolve(SILENT));
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    answer(path);
    return super.getFileStatus(path);
  }

  /** The local disk does not ask for the file's status here. */
  @Override
  public boolean exists(Path path) throws IOException {
    answer(path);
    return super.exists(path);
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
  public boolean rename(Path from, Path to) throws IOException {
    if (!exists(from)) {
      throw new FileNotFoundException(from.toString());
    }
    return !exists(to) && super.rename(from, to);
  }

  private static void answer(Path path) throws InterruptedIOException {
    if (path.getName().equals(SILENT)) {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    }
  }

  /** Registers the file system with Flink. */
  public static final class Factory implements FileSystemFactory {
    @Override
    public String getScheme() {
      return SCHEME;
    }

    @Override
    public FileSystem create(URI uri) {
      return new RemoteDisk();
    }

    @Override
    public void configure(Configuration configuration) {}
  }
}
