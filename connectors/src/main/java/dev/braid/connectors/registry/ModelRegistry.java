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
 * change. Jobs that follow a registry use the pinned version, or else the newest one.
 *
 * <p>A registry belongs to one training, which publishes versions with increasing numbers. A
 * replaced job that still publishes may publish a version a second time, but no other model with
 * the same number.
 *
 * <p>An instance belongs to one thread.
 */
public sealed interface ModelRegistry extends Closeable permits FolderRegistry, TopicRegistry {

  /** Returns the place of the registry, as it was given to {@link RegistryPlace}. */
  String place();

  /** Returns the numbers of the visible versions; empty if there is no registry. */
  SortedSet<Integer> numbers() throws IOException;

  /**
   * Returns the number of the pinned version; empty if none is pinned.
   *
   * @throws InvalidDataException if the pin is damaged
   */
  OptionalInt pinned() throws IOException;

  /**
   * Returns a version, if it is visible.
   *
   * @throws InvalidDataException if it is damaged, or was published by a newer Braid
   */
  Optional<ModelVersion> version(int number) throws IOException;

  /**
   * Returns a file of a version.
   *
   * @throws InvalidDataException if it is missing, or its content differs from what was published
   * @throws IOException if it cannot be read, or the version has been removed in the meantime
   */
  byte[] file(ModelVersion version, String name) throws IOException;

  /**
   * Makes a version visible. Publishing the same version again changes nothing.
   *
   * @param contents the files that {@link ModelVersion#files} names
   * @throws InvalidDataException if another model has this number, or the place is unsuitable for a
   *     registry
   * @throws IOException if it fails; the version may be visible or not
   */
  void publish(ModelVersion version, Map<String, byte[]> contents) throws IOException;

  /**
   * Makes jobs that follow the registry use a version, whatever is published later.
   *
   * @param number number of a visible version; empty to make jobs use the newest one again
   * @throws InvalidDataException if there is no such version
   */
  void pin(OptionalInt number) throws IOException;

  /** Removes a version, if it exists. */
  void remove(int number) throws IOException;

  /**
   * Removes files of versions that are not visible because their publication or removal was
   * interrupted.
   *
   * @param beforeMillis time in ms since 1970; files that were written later are kept
   * @return numbers of the versions whose files were removed
   */
  SortedSet<Integer> removeLeftovers(long beforeMillis) throws IOException;

  /**
   * Returns the number of the version that following jobs use: the pinned one, or else the newest.
   */
  default OptionalInt serving() throws IOException {
    OptionalInt pinned = pinned();
    if (pinned.isPresent()) {
      return pinned;
    }
    SortedSet<Integer> numbers = numbers();
    return numbers.isEmpty() ? OptionalInt.empty() : OptionalInt.of(numbers.last());
  }

  /** Returns an exception for a version that is not visible. */
  default InvalidDataException unknown(int number) {
    return new InvalidDataException(place() + ": has no version " + ModelVersion.name(number));
  }

  @Override
  void close();
}
