package dev.braid.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

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
            "images",
            "configurations",
            "replacements",
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
    for (JsonNode image : file.path("images")) {
      name((ObjectNode) image, objects);
    }
    for (JsonNode replacement : file.path("replacements")) {
      replace((ObjectNode) replacement, objects);
    }
    return objects;
  }

  /** Names an image, at the places that the configurations add: the manifests have no others. */
  private void name(ObjectNode image, List<ObjectNode> objects) {
    requireOnly(image, Set.of("name", "newName", "newTag", "digest"));
    String name = image.path("name").asText();
    String version =
        image.has("digest")
            ? "@" + image.get("digest").asText()
            : ":" + image.path("newTag").asText();
    String named = image.path("newName").asText(name) + version;
    for (JsonNode configuration : file.path("configurations")) {
      ObjectNode fields = Yaml.object(folder.resolve(configuration.asText()));
      requireOnly(fields, Set.of("images"));
      for (JsonNode field : fields.path("images")) {
        requireOnly((ObjectNode) field, Set.of("kind", "group", "path"));
        String path = "/" + field.path("path").asText();
        objects.stream()
            .filter(object -> object.path("kind").equals(field.path("kind")))
            .filter(object -> object.at(path).asText().matches(Pattern.quote(name) + "(:.*)?"))
            .forEach(object -> put(object, path, TextNode.valueOf(named)));
      }
    }
  }

  private static void replace(ObjectNode replacement, List<ObjectNode> objects) {
    requireOnly(replacement, Set.of("source", "targets"));
    ObjectNode source = (ObjectNode) replacement.get("source");
    requireOnly(source, Set.of("kind", "name", "fieldPath"));
    JsonNode value =
        matching(objects, object -> matches(source, object))
            .get(0)
            .at(pointer(source.path("fieldPath")));
    for (JsonNode target : replacement.path("targets")) {
      requireOnly((ObjectNode) target, Set.of("select", "fieldPaths"));
      ObjectNode select = (ObjectNode) target.get("select");
      for (ObjectNode object : matching(objects, object -> matches(select, object))) {
        target.path("fieldPaths").forEach(path -> put(object, pointer(path), value));
      }
    }
  }

  private static String pointer(JsonNode fieldPath) {
    return "/" + fieldPath.asText().replace('.', '/');
  }

  private static void put(ObjectNode object, String path, JsonNode value) {
    ArrayNode operations = Yaml.MAPPER.createArrayNode();
    operations.addObject().put("op", "replace").put("path", path).set("value", value);
    JsonPatch.apply(object, operations);
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
    ObjectNode metadata = map.putObject("metadata").put("name", generator.path("name").asText());
    if (options.has("labels")) {
      metadata.set("labels", options.get("labels"));
    }
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
