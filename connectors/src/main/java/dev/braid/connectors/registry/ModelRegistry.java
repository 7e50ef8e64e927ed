package dev.braid.connectors.registry;

import dev.braid.connectors.file.InvalidDataException;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;

/**
 * The published versions of a model. A version is visible as a whole or not at all, and does not
 * change. Jobs that follow a registry use the newest version, or the one that is pinned.
 *
 * <p>An instance belongs to one thread.
 */
public sealed interface ModelRegistry extends Closeable permits FolderRegistry {

  /** Prefix of the place of a registry in a topic, before the topic's name. */
  String TOPIC = "kafka:";

  /**
   * Opens a registry, which need not exist.
   *
   * @param place {@code kafka:} and a topic; or a path, or a URI of a file system that Flink knows
   * @param kafka properties of Kafka's clients; empty for a folder
   * @throws InvalidDataException if there can be no registry at the place
   * @throws IOException if it cannot be read
   */
  static ModelRegistry open(String place, Map<String, String> kafka) throws IOException {
    if (place.startsWith(TOPIC)) {
      throw new InvalidDataException(place + ": a folder is needed");
    }
    return new FolderRegistry(place);
  }

  /** Returns where it is, as it was given to {@link #open}. */
  String place();

  /** Returns the numbers of the visible versions; empty if there is no registry. */
  SortedSet<Integer> numbers() throws IOException;

  /** Returns the number of the version that is pinned, if one is. */
  OptionalInt pinned() throws IOException;

  /**
   * Returns a version, if it is visible.
   *
   * @throws InvalidDataException if it is damaged, or of a newer Braid
   */
  Optional<ModelVersion> version(int number) throws IOException;

  /**
   * Returns a file of a version.
   *
   * @throws InvalidDataException if it is missing, or its content is not that which was published
   */
  byte[] file(ModelVersion version, String name) throws IOException;

  /**
   * Makes a version visible. Publishing the same version again changes nothing.
   *
   * @param contents the files that {@link ModelVersion#files} names
   * @throws InvalidDataException if the number is that of another version
   */
  void publish(ModelVersion version, Map<String, byte[]> contents) throws IOException;

  /**
   * Has jobs that follow use a version, whatever is published later.
   *
   * @param number of a visible version; empty to have them use the newest one again
   */
  void pin(OptionalInt number) throws IOException;

  /** Removes a version. */
  void remove(int number) throws IOException;

  /**
   * Returns the number of the version that jobs which follow use: the pinned one; without one, the
   * newest.
   */
  default OptionalInt serving() throws IOException {
    OptionalInt pinned = pinned();
    if (pinned.isPresent()) {
      return pinned;
    }
    SortedSet<Integer> numbers = numbers();
    return numbers.isEmpty() ? OptionalInt.empty() : OptionalInt.of(numbers.last());
  }

  @Override
  void close();
}
