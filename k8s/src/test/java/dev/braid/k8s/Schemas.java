package dev.braid.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PersistentVolumeClaim;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.strimzi.api.kafka.model.kafka.Kafka;
import io.strimzi.api.kafka.model.nodepool.KafkaNodePool;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.user.KafkaUser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Schemas of all kinds of objects, with their permitted and required fields. An object of any other
 * kind is an error, as is a field that its kind does not have.
 */
final class Schemas {

  /** Valid name of an object, which is that of a domain. */
  private static final Pattern NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private static final String STRIMZI = "kafka.strimzi.io/v1 ";
  private static final String MONITORING = "monitoring.coreos.com/v1 ";

  /** Class of Kubernetes' client that knows all fields, and which are required. */
  @FunctionalInterface
  private interface Typed {
    void validate(JsonElement object) throws IOException;
  }

  /** Schema of one kind of object. */
  @FunctionalInterface
  private interface Schema {
    List<String> mistakes(ObjectNode object);
  }

  private final Map<String, Schema> byKind =
      Map.ofEntries(
          Map.entry("v1 Namespace", ofKubernetes(V1Namespace::validateJsonElement)),
          Map.entry("v1 ServiceAccount", ofKubernetes(V1ServiceAccount::validateJsonElement)),
          Map.entry("v1 ConfigMap", ofKubernetes(V1ConfigMap::validateJsonElement)),
          Map.entry(
              "v1 PersistentVolumeClaim",
              ofKubernetes(V1PersistentVolumeClaim::validateJsonElement)),
          Map.entry("apps/v1 Deployment", ofKubernetes(V1Deployment::validateJsonElement)),
          Map.entry(
              "policy/v1 PodDisruptionBudget",
              ofKubernetes(V1PodDisruptionBudget::validateJsonElement)),
          Map.entry("rbac.authorization.k8s.io/v1 Role", ofKubernetes(V1Role::validateJsonElement)),
          Map.entry(
              "rbac.authorization.k8s.io/v1 RoleBinding",
              ofKubernetes(V1RoleBinding::validateJsonElement)),
          Map.entry(
              "networking.k8s.io/v1 NetworkPolicy",
              ofKubernetes(V1NetworkPolicy::validateJsonElement)),
          Map.entry("flink.apache.org/v1beta1 FlinkDeployment", new FlinkSchema()::mistakes),
          Map.entry(STRIMZI + "Kafka", new TypedSchema(Kafka.class)::mistakes),
          Map.entry(STRIMZI + "KafkaNodePool", new TypedSchema(KafkaNodePool.class)::mistakes),
          Map.entry(STRIMZI + "KafkaUser", new TypedSchema(KafkaUser.class)::mistakes),
          Map.entry(STRIMZI + "KafkaTopic", new TypedSchema(KafkaTopic.class)::mistakes),
          Map.entry(
              MONITORING + "PodMonitor",
              requiring(
                  new TypedSchema(PodMonitor.class)::mistakes,
                  "/spec/selector",
                  "/spec/podMetricsEndpoints/*/port")),
          Map.entry(
              MONITORING + "PrometheusRule",
              requiring(
                  new TypedSchema(PrometheusRule.class)::mistakes,
                  "/spec/groups/*/name",
                  "/spec/groups/*/rules/*/expr",
                  "/spec/groups/*/rules/*/alert",
                  "/spec/groups/*/rules/*/labels/severity",
                  "/spec/groups/*/rules/*/annotations/summary")));

  /** Returns the errors of an object; empty if it is valid. */
  List<String> mistakes(ObjectNode object) {
    String kind = object.path("apiVersion").asText() + " " + object.path("kind").asText();
    Schema schema = byKind.get(kind);
    if (schema == null) {
      return List.of("unknown kind: " + kind);
    }
    List<String> mistakes = new ArrayList<>(schema.mistakes(object));
    mistakes.addAll(ofKubernetes(V1ObjectMeta::validateJsonElement).mistakes(metadata(object)));
    String name = object.at("/metadata/name").asText();
    if (!NAME.matcher(name).matches()) {
      mistakes.add("metadata.name: '" + name + "'");
    }
    return mistakes;
  }

  /**
   * Returns the errors of a pod's template, which the operator's definition checks only in part.
   */
  List<String> mistakesOfPod(ObjectNode template) {
    return ofKubernetes(V1PodTemplateSpec::validateJsonElement).mistakes(template);
  }

  private static ObjectNode metadata(ObjectNode object) {
    return object.path("metadata") instanceof ObjectNode metadata
        ? metadata
        : Yaml.MAPPER.createObjectNode();
  }

  private static Schema ofKubernetes(Typed type) {
    return object -> {
      try {
        type.validate(JsonParser.parseString(object.toString()));
        return List.of();
      } catch (IOException | IllegalArgumentException | IllegalStateException e) {
        return List.of(e.getMessage());
      }
    };
  }

  /** Returns a schema that also requires fields; '*' stands for each element. */
  private static Schema requiring(Schema schema, String... paths) {
    return object -> {
      List<String> mistakes = new ArrayList<>(schema.mistakes(object));
      for (String path : paths) {
        collectMissing(object, path.substring(1).split("/", -1), 0, mistakes);
      }
      return mistakes;
    };
  }

  private static void collectMissing(
      JsonNode node, String[] path, int depth, List<String> mistakes) {
    if (depth == path.length) {
      if (node.isMissingNode() || node.isNull()) {
        mistakes.add(String.join(".", path) + ": is missing");
      }
    } else if (path[depth].equals("*")) {
      if (node.isEmpty()) {
        mistakes.add(String.join(".", path) + ": has no elements");
      }
      node.forEach(element -> collectMissing(element, path, depth + 1, mistakes));
    } else {
      collectMissing(node.path(path[depth]), path, depth + 1, mistakes);
    }
  }
}
