package dev.braid.k8s;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The manifests next to these tests, as they are deployed. */
final class Manifests {

  /** Folder of this module. */
  static final Path FOLDER = Path.of("").toAbsolutePath();

  /** The overlay with most kinds of objects. */
  static final Path ALL = FOLDER.resolve("src/test/overlays/large-chaos-tls");

  private Manifests() {}

  /**
   * Returns the folders that can be deployed: the base, each overlay, and some with several
   * components.
   */
  static List<Path> deployable() {
    List<Path> folders = new ArrayList<>(List.of(FOLDER.resolve("base")));
    for (String overlays : List.of("overlays", "src/test/overlays")) {
      try (Stream<Path> found = Files.list(FOLDER.resolve(overlays))) {
        found.sorted().forEach(folders::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return folders;
  }

  /** Returns the deployable folders whose training reads chaos events. */
  static List<Path> withChaos() {
    return deployable().stream().filter(folder -> folder.toString().contains("chaos")).toList();
  }

  /** Returns the deployment of the training job in a folder. */
  static ObjectNode training(Path folder) {
    return only(folder, "flink.apache.org/v1beta1 FlinkDeployment braid");
  }

  /** Returns an object of a folder by its id. */
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
