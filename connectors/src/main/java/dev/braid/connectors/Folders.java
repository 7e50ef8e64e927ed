package dev.braid.connectors;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Contents of folders, in an order that is the same on every machine. */
final class Folders {

  private Folders() {}

  /**
   * Returns the files and folders in a folder that are not hidden, by name.
   *
   * @throws InvalidDataException if the folder cannot be read
   */
  static List<Path> list(Path folder) {
    try (Stream<Path> found = Files.list(folder)) {
      return found
          .filter(path -> !name(path).startsWith("."))
          .sorted(Comparator.comparing(Folders::name))
          .toList();
    } catch (IOException e) {
      throw InvalidDataException.unreadable(Printable.of(folder.toString()), e);
    }
  }

  /** Returns the folders in a folder that are not hidden, by name. */
  static List<Path> listFolders(Path folder) {
    return list(folder).stream().filter(Files::isDirectory).toList();
  }

  /** Returns the last part of a path. */
  static String name(Path path) {
    return path.getFileName().toString();
  }
}
