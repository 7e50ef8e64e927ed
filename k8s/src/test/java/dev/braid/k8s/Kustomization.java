package dev.braid.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What {@code kubectl apply -k} would send, for what these manifests use of kustomize: anything
 * else is refused, so that nothing is passed over. {@code KustomizationTest} compares it with
 * kustomize's own word where that is installed.
 */
final class Kustomization {

  private static final Set<String> KINDS = Set.of("Kustomization", "Component");

  private final Path folder;
  private final ObjectNode file;

  private Kustomization(Path folder) {
    this.folder = folder;
    this.file = Yaml.object(folder.resolve("kustomization.yaml"));
    requireOnly(
        file,
        Set.of(
            "apiVersion",
            "kind",
            "namespace",
            "resources",
            "components",
            "patches",
            "configMapGenerator"));
    if (!KINDS.contains(file.path("kind").asText())) {
      throw new IllegalArgumentException(folder + ": kind " + file.path("kind"));
    }
  }

  /** All objects that a folder is about. */
  static List<ObjectNode> build(Path folder) {
    return new Kustomization(folder).build(new ArrayList<>());
  }

  private List<ObjectNode> build(List<ObjectNode> objects) {
    for (JsonNode resource : file.path("resources")) {
      Path place = folder.resolve(resource.asText()).normalize();
      if (Files.isDirectory(place)) {
        objects.addAll(build(place));
      } else {
        Yaml.documents(place).forEach(object -> objects.add((ObjectNode) object));
      }
    }
    for (JsonNode generator : file.path("configMapGenerator")) {
      objects.add(configMap((ObjectNode) generator));
    }
    for (JsonNode component : file.path("components")) {
      new Kustomization(folder.resolve(component.asText()).normalize()).build(objects);
    }
    for (JsonNode patch : file.path("patches")) {
      patch((ObjectNode) patch, objects);
    }
    if (file.has("namespace")) {
      objects.stream()
          .filter(object -> !object.path("kind").asText().equals("Namespace"))
          .forEach(
              object -> object.withObject("/metadata").set("namespace", file.get("namespace")));
    }
    return objects;
  }

  private void patch(ObjectNode patch, List<ObjectNode> objects) {
    requireOnly(patch, Set.of("path", "target"));
    for (JsonNode document : Yaml.documents(folder.resolve(patch.path("path").asText()))) {
      if (document instanceof ArrayNode operations) {
        ObjectNode target = (ObjectNode) patch.get("target");
        requireOnly(target, Set.of("kind", "name"));
        matching(objects, object -> matches(target, object))
            .forEach(object -> JsonPatch.apply(object, operations));
      } else {
        merge((ObjectNode) document, objects);
      }
    }
  }

  private static void merge(ObjectNode patch, List<ObjectNode> objects) {
    List<ObjectNode> targets = matching(objects, object -> id(object).equals(id(patch)));
    if (patch.path("$patch").asText().equals("delete")) {
      objects.removeAll(targets);
    } else {
      targets.forEach(object -> JsonPatch.merge(object, patch));
    }
  }

  private static boolean matches(ObjectNode target, ObjectNode object) {
    return target.path("kind").equals(object.path("kind"))
        && (!target.has("name") || target.get("name").equals(object.at("/metadata/name")));
  }

  private static List<ObjectNode> matching(
      List<ObjectNode> objects, Predicate<ObjectNode> condition) {
    List<ObjectNode> found = objects.stream().filter(condition).toList();
    if (found.isEmpty()) {
      throw new IllegalArgumentException("a patch is about no object");
    }
    return found;
  }

  /** What tells an object of a namespace from all others. */
  static String id(JsonNode object) {
    return "%s %s %s"
        .formatted(
            object.path("apiVersion").asText(),
            object.path("kind").asText(),
            object.at("/metadata/name").asText());
  }

  private ObjectNode configMap(ObjectNode generator) {
    requireOnly(generator, Set.of("name", "files", "options"));
    ObjectNode options = (ObjectNode) generator.get("options");
    requireOnly(options, Set.of("disableNameSuffixHash", "labels"));
    if (!options.path("disableNameSuffixHash").asBoolean()) {
      throw new IllegalArgumentException("names with a suffix are not known here: " + generator);
    }
    ObjectNode map =
        Yaml.MAPPER.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
    map.putObject("metadata")
        .put("name", generator.path("name").asText())
        .set("labels", options.get("labels"));
    ObjectNode data = map.putObject("data");
    for (JsonNode name : generator.path("files")) {
      Path content = folder.resolve(name.asText());
      data.put(content.getFileName().toString(), text(content));
    }
    return map;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void requireOnly(ObjectNode object, Set<String> known) {
    object
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.contains(name)) {
                throw new IllegalArgumentException(name + ": not known here, in " + object);
              }
            });
  }
}
