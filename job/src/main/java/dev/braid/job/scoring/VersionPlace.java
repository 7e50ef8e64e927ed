package dev.braid.job.scoring;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.files.WholeFile;
import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** Search for the model file of a version in a registry that is a folder on this machine. */
final class VersionPlace {

  private VersionPlace() {}

  /**
   * Returns the model file of a version, after verifying its checksum.
   *
   * @param place folder of a registry, for the version in service; or folder of a version in it
   * @return empty if the place is neither
   * @throws UsageException if the version is damaged, or the pinned one does not exist
   */
  static Optional<String> of(String place) {
    if (StreamTopic.isPlace(place)) {
      throw new UsageException(
          "--model " + place + ": is a topic: must be a saved model or a registry in a folder");
    }
    try {
      Path folder = Path.of(place);
      if (!Files.isDirectory(folder)) {
        return Optional.empty();
      }
      Path whole = folder.toAbsolutePath().normalize();
      String name = String.valueOf(whole.getFileName());
      boolean isVersion =
          ModelVersion.isName(name) && Files.isRegularFile(whole.resolveSibling(name + ".json"));
      String registry = isVersion ? whole.getParent().toString() : place;
      try (ModelRegistry opened = RegistryPlace.folder(registry).open()) {
        OptionalInt number =
            isVersion ? OptionalInt.of(ModelVersion.number(name)) : opened.serving();
        if (number.isEmpty()) {
          return Optional.empty();
        }
        check(opened, number.getAsInt());
        Path found = isVersion ? folder : folder.resolve(ModelVersion.name(number.getAsInt()));
        return Optional.of(found.resolve(ModelVersion.MODEL).toString());
      }
    } catch (InvalidPathException e) {
      throw new UsageException("--model " + place + ": not a path", e);
    } catch (InvalidDataException e) {
      throw new UsageException("--model " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UsageException("--model " + place + ": cannot be read: " + WholeFile.reason(e), e);
    }
  }

  private static void check(ModelRegistry registry, int number) throws IOException {
    ModelVersion version = registry.version(number).orElseThrow(() -> registry.unknown(number));
    for (String name : new String[] {ModelVersion.MODEL, ModelVersion.CARD}) {
      byte[] unused = registry.file(version, name);
    }
  }
}
