package dev.braid.run.scoring;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.learner.InvalidModelException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Decides at each poll of a registry which version to load. A version that cannot be loaded is
 * refused once, and tried again when its description has changed. A registry that cannot be read is
 * tried again at the next poll. An instance belongs to one thread.
 *
 * @param <M> type of a loaded version
 */
public final class VersionWatch<M> {

  /** Loads a version. */
  @FunctionalInterface
  public interface Loader<M> {

    M load(ModelRegistry registry, ModelVersion version) throws IOException;
  }

  /** A version that was refused; without a description if the description cannot be read. */
  private record Refused(OptionalInt number, Optional<ModelVersion> version, String reason) {}

  private final OptionalInt fixed;
  private final Loader<M> loader;

  private Optional<ModelVersion> loaded = Optional.empty();
  private Optional<Refused> refused = Optional.empty();
  private Optional<String> news = Optional.empty();

  /**
   * Creates a watch.
   *
   * @param fixed number of the only version to load; empty to load those that the registry serves
   */
  public VersionWatch(OptionalInt fixed, Loader<M> loader) {
    this.fixed = fixed;
    this.loader = loader;
  }

  /**
   * Loads the version to serve, if it differs from the one before. If none serves yet and the
   * newest one is refused, loads the newest that can be loaded. Therefore a bad version does not
   * replace a good one after a restart, either.
   *
   * @throws IOException if the registry cannot be read
   */
  public Optional<M> poll(ModelRegistry registry) throws IOException {
    OptionalInt number = OptionalInt.empty();
    try {
      number = fixed.isPresent() ? fixed : registry.serving();
      if (number.isEmpty()) {
        return Optional.empty();
      }
      Optional<M> model = load(registry, number);
      boolean mayBeEarlier =
          model.isEmpty()
              && loaded.isEmpty()
              && refused.isPresent()
              && fixed.isEmpty()
              && registry.pinned().isEmpty();
      return mayBeEarlier ? earlier(registry, number.getAsInt()) : model;
    } catch (InvalidDataException e) {
      refuse(new Refused(number, Optional.empty(), e.getMessage()));
      return Optional.empty();
    }
  }

  /** Loads the newest version before one that was refused; the refusal stays as it is. */
  private Optional<M> earlier(ModelRegistry registry, int number) throws IOException {
    Optional<Refused> newest = refused;
    Optional<String> ofNewest = news;
    Optional<M> model = Optional.empty();
    List<Integer> before = new ArrayList<>(registry.numbers().headSet(number));
    Collections.reverse(before);
    for (int i = 0; i < before.size() && model.isEmpty(); i++) {
      model = load(registry, OptionalInt.of(before.get(i)));
    }
    refused = newest;
    news = ofNewest;
    return model;
  }

  private Optional<M> load(ModelRegistry registry, OptionalInt number) throws IOException {
    Optional<ModelVersion> version = Optional.empty();
    try {
      version = registry.version(number.getAsInt());
      if (version.isEmpty()
          || version.equals(refused.flatMap(Refused::version))
          || isLoaded(version.get())) {
        return Optional.empty();
      }
      M model = loader.load(registry, version.get());
      loaded = version;
      refused = Optional.empty();
      return Optional.of(model);
    } catch (InvalidDataException | InvalidModelException e) {
      refuse(new Refused(number, version, e.getMessage()));
    } catch (RuntimeException e) {
      // File systems and clients may fail in ways that are over at the next poll.
      throw new IOException(e.toString(), e);
    }
    return Optional.empty();
  }

  /**
   * Returns whether this version is loaded. A registry that was deleted starts again with the same
   * numbers, so the number is not enough.
   */
  private boolean isLoaded(ModelVersion version) {
    return loaded
        .filter(it -> it.number() == version.number() && it.isSameModel(version))
        .isPresent();
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
  public Optional<String> refusal() {
    Optional<String> reason = news;
    news = Optional.empty();
    return reason;
  }
}
