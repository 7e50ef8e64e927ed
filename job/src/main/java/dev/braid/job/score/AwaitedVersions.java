package dev.braid.job.score;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.FilePlugins;
import dev.braid.run.scoring.VersionChoice;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;

/**
 * The versions with which a scoring job starts. The first version may be published only after the
 * training job has run for a while.
 *
 * @param choice which versions score
 * @param models the registry, as typed
 */
record AwaitedVersions(VersionChoice choice, String models) {

  private static final Duration LOOK = Duration.ofSeconds(1);

  /**
   * Waits until the versions are published.
   *
   * @param terminal shows which version is missing
   * @throws UsageException if the registry is invalid or cannot be read
   */
  void await(Terminal terminal) throws InterruptedException {
    String told = "";
    for (Optional<String> missing = missing(); missing.isPresent(); missing = missing()) {
      if (!missing.get().equals(told)) {
        told = missing.get();
        terminal.print("waiting for " + told);
      }
      Thread.sleep(LOOK.toMillis());
    }
  }

  private Optional<String> missing() {
    try (ModelRegistry registry = choice.registry().open()) {
      return missing(registry);
    } catch (UnsupportedFileSystemSchemeException e) {
      throw new UsageException(
          "--models %s: %s"
              .formatted(models, FilePlugins.missing(new Path(models).toUri().getScheme())),
          e);
    } catch (IOException | InvalidDataException e) {
      throw new UsageException("--models " + models + ": " + e.getMessage(), e);
    }
  }

  private Optional<String> missing(ModelRegistry registry) throws IOException {
    OptionalInt serving = choice.fixed() > 0 ? OptionalInt.of(choice.fixed()) : registry.serving();
    if (serving.isEmpty()) {
      return Optional.of(
          "a first version in " + models + ": 'braid train --publish' publishes versions");
    }
    for (int number : new int[] {serving.getAsInt(), choice.canary()}) {
      if (number > 0 && registry.version(number).isEmpty()) {
        boolean isPinned = registry.pinned().equals(OptionalInt.of(number));
        return Optional.of(
            "%s in %s, which is %s but does not exist"
                .formatted(
                    ModelVersion.name(number),
                    models,
                    isPinned && number == serving.getAsInt() ? "pinned" : "requested"));
      }
    }
    return Optional.empty();
  }
}
