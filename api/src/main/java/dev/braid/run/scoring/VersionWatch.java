package dev.braid.run.scoring;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.learner.InvalidModelException;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Decides at each poll of a registry which version to load. A version that cannot be loaded is
 * refused once, and tried again when its description has changed; a registry that cannot be read is
 * tried again at the next poll. An instance belongs to one thread.
 *
 * @param <M> what a version becomes
 */
final class VersionWatch<M> {

  /** Loads a version. */
  @FunctionalInterface
  interface Loader<M> {

    M load(ModelRegistry registry, ModelVersion version) throws IOException;
  }

  /** A version that has been refused; without a description if that cannot be read itself. */
  private record Refused(OptionalInt number, Optional<ModelVersion> version, String reason) {}

  private final OptionalInt fixed;
  private final Loader<M> loader;

  private OptionalInt loaded = OptionalInt.empty();
  private Optional<Refused> refused = Optional.empty();
  private Optional<String> news = Optional.empty();

  /**
   * Creates a watch.
   *
   * @param fixed number of the only version to load; empty to load those that the registry serves
   */
  VersionWatch(OptionalInt fixed, Loader<M> loader) {
    this.fixed = fixed;
    this.loader = loader;
  }

  /**
   * Loads the version that is to serve, if it is another one than before.
   *
   * @throws IOException if the registry cannot be read
   */
  Optional<M> poll(ModelRegistry registry) throws IOException {
    OptionalInt number = OptionalInt.empty();
    Optional<ModelVersion> version = Optional.empty();
    try {
      number = fixed.isPresent() ? fixed : registry.serving();
      if (number.isEmpty() || number.equals(loaded)) {
        return Optional.empty();
      }
      version = registry.version(number.getAsInt());
      if (version.isEmpty() || version.equals(refused.flatMap(Refused::version))) {
        return Optional.empty();
      }
      M model = loader.load(registry, version.get());
      loaded = number;
      refused = Optional.empty();
      return Optional.of(model);
    } catch (InvalidDataException | InvalidModelException e) {
      refuse(new Refused(number, version, e.getMessage()));
    } catch (RuntimeException e) {
      // File systems and clients have mistakes of their own, which may be over at the next poll.
      throw new IOException(e.toString(), e);
    }
    return Optional.empty();
  }

  private void refuse(Refused next) {
    if (!refused.equals(Optional.of(next))) {
      refused = Optional.of(next);
      news =
          Optional.of(
              (next.number.isPresent() ? ModelVersion.name(next.number.getAsInt()) + ": " : "")
                  + next.reason);
    }
  }

  /** Returns, once, why the last version was refused, if one was. */
  Optional<String> refusal() {
    Optional<String> reason = news;
    news = Optional.empty();
    return reason;
  }
}
