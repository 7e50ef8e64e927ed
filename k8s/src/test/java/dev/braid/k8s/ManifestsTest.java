package dev.braid.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All deployed objects have only fields of their kinds, and all required ones. */
class ManifestsTest {

  private static final Schemas SCHEMAS = new Schemas();

  /** Fields whose content an operator accepts without a check. */
  private static final List<String> FREE =
      List.of(
          "labels",
          "annotations",
          "matchLabels",
          "flinkConfiguration",
          "data",
          "config",
          "requests",
          "limits",
          "nodeSelector");

  static List<Path> deployable() {
    return Manifests.deployable();
  }

  @ParameterizedTest
  @MethodSource("deployable")
  void everyObjectIsAsItsKindSays(Path folder) {
    List<ObjectNode> objects = Kustomization.build(folder);
    assertThat(objects).isNotEmpty();
    for (ObjectNode object : objects) {
      assertThat(SCHEMAS.mistakes(object)).as(Kustomization.id(object)).isEmpty();
    }
    assertThat(objects.stream().map(Kustomization::id)).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("deployable")
  void theWholePodIsAsKubernetesSays(Path folder) {
    ObjectNode training = Manifests.training(folder);
    ObjectNode pod = (ObjectNode) training.at("/spec/podTemplate").deepCopy();
    assertThat(SCHEMAS.mistakesOfPod(pod)).isEmpty();
    if (training.at("/spec/jobManager/podTemplate") instanceof ObjectNode more) {
      merge(pod, more);
    }
    assertThat(SCHEMAS.mistakesOfPod(pod)).isEmpty();
  }

  /** Merges an object into another one, as Flink's operator does; lists are replaced. */
  private static void merge(ObjectNode target, ObjectNode above) {
    for (Map.Entry<String, JsonNode> field : above.properties()) {
      if (field.getValue() instanceof ObjectNode inner
          && target.get(field.getKey()) instanceof ObjectNode below) {
        merge(below, inner);
      } else {
        target.set(field.getKey(), field.getValue());
      }
    }
  }

  /** A file that no overlay includes would not be checked. */
  @Test
  void everyManifestIsDeployed() throws IOException {
    List<String> names = new ArrayList<>();
    for (Path folder : kustomizations()) {
      ObjectNode file = Yaml.object(folder.resolve("kustomization.yaml"));
      file.path("resources").forEach(name -> names.add(place(folder, name)));
      file.path("patches").forEach(patch -> names.add(place(folder, patch.path("path"))));
      file.path("configurations").forEach(name -> names.add(place(folder, name)));
    }
    try (Stream<Path> files = Files.walk(Manifests.FOLDER)) {
      assertThat(
              files
                  .filter(file -> file.toString().endsWith(".yaml"))
                  .filter(file -> !file.endsWith("kustomization.yaml"))
                  .filter(file -> !file.startsWith(Manifests.FOLDER.resolve("target")))
                  .map(Path::toString))
          .isNotEmpty()
          .isSubsetOf(names);
    }
  }

  private static List<Path> kustomizations() throws IOException {
    try (Stream<Path> files = Files.walk(Manifests.FOLDER)) {
      return files
          .filter(file -> file.endsWith("kustomization.yaml"))
          .map(Path::getParent)
          .toList();
    }
  }

  private static String place(Path folder, JsonNode name) {
    return folder.resolve(name.asText()).normalize().toString();
  }

  // ---- the validator itself
  // ----------------------------------------------------------------------

  /** A renamed field is found in all objects, at every place with a type. */
  @Test
  void aFieldWithAnotherNameIsFound() {
    for (ObjectNode object : Kustomization.build(Manifests.ALL)) {
      int renamed = 0;
      for (ObjectNode mutant : mutants(object)) {
        assertThat(SCHEMAS.mistakes(mutant)).as(() -> mutant.toPrettyString()).isNotEmpty();
        renamed++;
      }
      assertThat(renamed).as(Kustomization.id(object)).isGreaterThan(2);
    }
  }

  /** Returns copies of an object, in each of which one field is renamed. */
  private static List<ObjectNode> mutants(ObjectNode object) {
    List<ObjectNode> mutants = new ArrayList<>();
    collect(object, object, mutants);
    return mutants;
  }

  private static void collect(JsonNode node, ObjectNode root, List<ObjectNode> mutants) {
    if (node instanceof ArrayNode list) {
      list.forEach(element -> collect(element, root, mutants));
    } else if (node instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
        ObjectNode before = object.deepCopy();
        object.remove(field.getKey());
        object.set(field.getKey() + "X", field.getValue());
        mutants.add(root.deepCopy());
        object.removeAll();
        object.setAll(before);
        if (!FREE.contains(field.getKey())) {
          collect(object.get(field.getKey()), root, mutants);
        }
      }
    }
  }

  @Test
  void valuesOfAnotherTypeAndMissingFieldsAreFound() {
    Path large = Manifests.ALL;
    ObjectNode training = Manifests.training(large);
    ((ObjectNode) training.path("spec")).put("flinkVersion", "v9_9");
    assertThat(SCHEMAS.mistakes(training)).isNotEmpty();
    ObjectNode other = Manifests.training(large);
    ((ObjectNode) other.at("/spec/job")).put("parallelism", "sixteen");
    assertThat(SCHEMAS.mistakes(other)).isNotEmpty();
    ObjectNode without = Manifests.training(large);
    ((ObjectNode) without.at("/spec/job")).remove("jarURI");
    assertThat(SCHEMAS.mistakes(without)).isNotEmpty();
    ObjectNode policy = Manifests.only(large, "networking.k8s.io/v1 NetworkPolicy braid");
    ((ObjectNode) policy.path("spec")).put("policyTypes", "Ingress");
    assertThat(SCHEMAS.mistakes(policy)).isNotEmpty();
    ObjectNode pool = Manifests.only(large, "kafka.strimzi.io/v1 KafkaNodePool both");
    ((ObjectNode) pool.path("spec")).remove("roles");
    assertThat(SCHEMAS.mistakes(pool)).isNotEmpty();
    ObjectNode topic = Manifests.only(large, "kafka.strimzi.io/v1 KafkaTopic chaos");
    ((ObjectNode) topic.path("spec")).put("partitions", "one");
    assertThat(SCHEMAS.mistakes(topic)).isNotEmpty();
    ObjectNode alerts = Manifests.only(large, "monitoring.coreos.com/v1 PrometheusRule braid");
    ((ObjectNode) alerts.at("/spec/groups/0/rules/0")).remove("expr");
    assertThat(SCHEMAS.mistakes(alerts)).isNotEmpty();
    ObjectNode user = Manifests.only(large, "kafka.strimzi.io/v1 KafkaUser braid-trainer");
    ((ObjectNode) user.at("/spec/authorization")).put("type", "simpel");
    assertThat(SCHEMAS.mistakes(user)).isNotEmpty();
    ObjectNode budget = Manifests.only(large, "policy/v1 PodDisruptionBudget braid-taskmanager");
    ((ObjectNode) budget.path("spec")).put("selector", "all");
    assertThat(SCHEMAS.mistakes(budget)).isNotEmpty();
    ObjectNode unknown = Manifests.training(large);
    unknown.put("kind", "FlinkDeploymen");
    assertThat(SCHEMAS.mistakes(unknown)).isNotEmpty();
  }
}
