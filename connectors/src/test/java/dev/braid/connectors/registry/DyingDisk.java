package dev.braid.connectors.registry;

import java.io.IOException;
import java.net.URI;
import java.util.UUID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/**
 * The local disk of a process that dies after a number of writes, so that all later writes fail.
 * The host in the URI contains this number.
 */
final class DyingDisk extends LocalFileSystem {

  private static final String SCHEME = "dying";

  private final URI uri;
  private int left;

  private DyingDisk(URI uri) {
    this.uri = uri;
    this.left = Integer.parseInt(uri.getAuthority().replaceAll("-.*", ""));
  }

  /** Returns the URI of a folder on a disk that fails after {@code writes} writes. */
  static String uri(String folder, int writes) {
    return "%s://%d-%s%s".formatted(SCHEME, writes, UUID.randomUUID(), folder);
  }

  private void write() throws IOException {
    if (left == 0) {
      throw new IOException("dead");
    }
    left--;
  }

  @Override
  public URI getUri() {
    return uri;
  }

  @Override
  public boolean isDistributedFS() {
    return true;
  }

  @Override
  public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
    write();
    return super.create(path, mode);
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    write();
    return super.rename(from, to);
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    write();
    return super.delete(path, recursive);
  }

  @Override
  public boolean mkdirs(Path path) throws IOException {
    write();
    return super.mkdirs(path);
  }

  /** Registers the file system with Flink. */
  public static final class Factory implements FileSystemFactory {
    @Override
    public String getScheme() {
      return SCHEME;
    }

    @Override
    public FileSystem create(URI uri) {
      return new DyingDisk(uri);
    }

    @Override
    public void configure(Configuration configuration) {}
  }
}
