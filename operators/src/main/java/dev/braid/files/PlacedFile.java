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
 * A file by its place, a local path or a URI of any file system that Flink knows, to be looked at
 * and read as it is: {@link WholeFile} writes such files.
 *
 * @param place as the user, or Flink, writes it
 */
public record PlacedFile(String place) {

  /** The file of a name in a folder. */
  public static PlacedFile in(String folder, String name) {
    return new PlacedFile(folder.endsWith("/") ? folder + name : folder + "/" + name);
  }

  /** When it was last written, in ms since 1970; none if there is no such file, or no answer. */
  public Optional<Long> lastModifiedMillis() {
    try {
      FileSystem fileSystem = path().getFileSystem();
      // Else a file system may have a page of an exception to say, which costs it a question more.
      return fileSystem.exists(path())
          ? Optional.of(fileSystem.getFileStatus(path()).getModificationTime())
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Whether it is there, as far as can be told. */
  public boolean exists() {
    return lastModifiedMillis().isPresent();
  }

  /**
   * How long it is.
   *
   * @throws java.io.FileNotFoundException if there is no such file
   */
  public long bytes() throws IOException {
    return path().getFileSystem().getFileStatus(path()).getLen();
  }

  /**
   * Its content.
   *
   * @throws java.io.FileNotFoundException if there is no such file
   */
  public InputStream open() throws IOException {
    return path().getFileSystem().open(path());
  }

  /**
   * Returns the names of the files and folders in a folder; none if there is no such folder.
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
    // Flink looks at each file of a local folder, and fails where one has been renamed since it was
    // listed: where files are written whole, each write renames one.
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
