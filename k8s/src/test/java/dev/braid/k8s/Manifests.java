package dev.braid.k8s;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The manifests beside these tests, as they are deployed. */
final class Manifests {

  /** The folder that the module is. */
  static final Path FOLDER = Path.of("").toAbsolutePath();

  private Manifests() {}

  /** What may be deployed: each overlay, and the base that they have in common. */
  static List<Path> deployable() {
    try (Stream<Path> overlays = Files.list(FOLDER.resolve("overlays"))) {
      return Stream.concat(Stream.of(FOLDER.resolve("base")), overlays.sorted()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The training of what is deployed. */
  static ObjectNode training(Path folder) {
    return only(folder, "flink.apache.org/v1beta1 FlinkDeployment braid");
  }

  /** An object of what is deployed. */
  static ObjectNode only(Path folder, String id) {
    List<ObjectNode> found =
        Kustomization.build(folder).stream()
            .filter(object -> Kustomization.id(object).equals(id))
            .toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(id + ": " + found.size() + " in " + folder);
    }
    return found.get(0);
  }
}
