package dev.braid.files;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
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

  private Path path() {
    return new Path(place);
  }

  @Override
  public String toString() {
    return place;
  }
}
