package dev.braid.job.report;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/** Files that are there whole or not at all: written beside their place, then renamed. */
public final class WholeFile {

  private WholeFile() {}

  /** What a file consists of. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Writes a file, and its folder where that is not there yet; an older file goes.
   *
   * @param place a local path, or a URI of a file system that Flink knows
   */
  public static void write(String place, Content content) throws IOException {
    Path target = new Path(place);
    if (FileSystem.get(target.toUri()).isDistributedFS()) {
      writeDistributed(target, content);
    } else {
      writeLocal(local(target.toUri()), content);
    }
  }

  private static java.nio.file.Path local(URI uri) {
    return java.nio.file.Path.of(uri.getPath()).toAbsolutePath();
  }

  private static void writeLocal(java.nio.file.Path target, Content content) throws IOException {
    Files.createDirectories(target.getParent());
    // Of a name that no other run has, even one into the same folder.
    java.nio.file.Path part =
        Files.createTempFile(target.getParent(), "." + target.getFileName(), ".part");
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
        content.writeTo(out);
      }
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void writeDistributed(Path target, Content content) throws IOException {
    FileSystem fileSystem = FileSystem.get(target.toUri());
    fileSystem.mkdirs(target.getParent());
    Path part = new Path(target.getParent(), "." + target.getName() + ".part");
    try (OutputStream out =
        new BufferedOutputStream(fileSystem.create(part, FileSystem.WriteMode.OVERWRITE))) {
      content.writeTo(out);
    }
    // Where rename does not replace, there is a moment without the file: never one with half of it.
    fileSystem.delete(target, false);
    if (!fileSystem.rename(part, target)) {
      throw new IOException(target + ": could not be renamed from " + part);
    }
  }
}
