package dev.braid.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * A file to be inspected and read, identified by its place: a local path or a URI of any file
 * system that Flink knows. {@link WholeFile} writes such files.
 *
 * @param place path or URI, as the user or Flink writes it
 */
public record PlacedFile(String place) {

  /** Returns the file with a name in a folder. */
  public static PlacedFile in(String folder, String name) {
    return new PlacedFile(folder.endsWith("/") ? folder + name : folder + "/" + name);
  }

  /**
   * Returns the time of the last modification, in milliseconds since 1970; empty if the file does
   * not exist or the file system does not answer.
   */
  public Optional<Long> lastModifiedMillis() {
    try {
      FileSystem fileSystem = path().getFileSystem();
      // Asking for a missing file may take one more request and end in an exception a page long.
      return fileSystem.exists(path())
          ? Optional.of(fileSystem.getFileStatus(path()).getModificationTime())
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns whether the file is known to exist. */
  public boolean exists() {
    return lastModifiedMillis().isPresent();
  }

  /**
   * Returns the length of the file, in bytes.
   *
   * @throws java.io.FileNotFoundException if there is no such file
   */
  public long bytes() throws IOException {
    return path().getFileSystem().getFileStatus(path()).getLen();
  }

  /**
   * Opens the file for reading.
   *
   * @throws java.io.FileNotFoundException if there is no such file
   */
  public InputStream open() throws IOException {
    return path().getFileSystem().open(path());
  }

  /**
   * Returns the names of the files and folders in a folder; empty if there is no such folder.
   *
   * @param folder a local path, or a URI of a file system that Flink knows
   */
  public static List<String> namesIn(String folder) throws IOException {
    Path path = new Path(folder);
    FileSystem fileSystem = path.getFileSystem();
    if (!fileSystem.exists(path)) {
      return List.of();
    }
    if (fileSystem.isDistributedFS()) {
      FileStatus[] found = fileSystem.listStatus(path);
      return found == null
          ? List.of()
          : Stream.of(found).map(status -> status.getPath().getName()).toList();
    }
    // Flink inspects each file of a local folder, and fails if one was renamed after the listing.
    // Files that are written whole are renamed with each write.
    try (Stream<java.nio.file.Path> files =
        Files.list(java.nio.file.Path.of(path.toUri().getPath()))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private Path path() {
    return new Path(place);
  }

  @Override
  public String toString() {
    return place;
  }
}
