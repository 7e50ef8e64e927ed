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
 * <p>A registry belongs to one training, which publishes under numbers that increase. When a job
 * that was replaced still publishes, it may publish a version once more, but no other model under
 * its number.
 *
 * <p>An instance belongs to one thread.
 */
public sealed interface ModelRegistry extends Closeable permits FolderRegistry, TopicRegistry {

  /** Returns where it is, as it was given to {@link RegistryPlace}. */
  String place();

  /** Returns the numbers of the visible versions; empty if there is no registry. */
  SortedSet<Integer> numbers() throws IOException;

  /**
   * Returns the number of the version that is pinned, if one is.
   *
   * @throws InvalidDataException if the pin is damaged
   */
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
   * @throws InvalidDataException if it is missing, or its content is not what was published
   * @throws IOException if it cannot be read, or the version has been removed meanwhile
   */
  byte[] file(ModelVersion version, String name) throws IOException;

  /**
   * Makes a version visible. Publishing the same version again changes nothing.
   *
   * @param contents the files that {@link ModelVersion#files} names
   * @throws InvalidDataException if the number is that of another model, or there can be no
   *     registry at the place
   * @throws IOException if it fails; then the version may be visible or not
   */
  void publish(ModelVersion version, Map<String, byte[]> contents) throws IOException;

  /**
   * Makes jobs that follow use a version, whatever is published later.
   *
   * @param number of a visible version; empty to make them use the newest one again
   * @throws InvalidDataException if there is no such version
   */
  void pin(OptionalInt number) throws IOException;

  /** Removes a version, if it is there. */
  void remove(int number) throws IOException;

  /**
   * Removes files of versions that are not visible: their publication or their removal was
   * interrupted.
   *
   * @param beforeMillis time in ms since 1970; files that were written later stay
   * @return numbers of the versions, or former ones, whose files were removed
   */
  SortedSet<Integer> removeLeftovers(long beforeMillis) throws IOException;

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

  /** Returns the failure of a pin to a version that is not visible. */
  default InvalidDataException unknown(int number) {
    return new InvalidDataException(place() + ": has no version " + ModelVersion.name(number));
  }

  @Override
  void close();
}
