package dev.braid.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Schema of a {@code FlinkDeployment}, from the operator's own definition. The definition marks no
 * field as required, although the operator requires some; this schema requires them.
 */
final class FlinkSchema {

  private static final String DEFINITION = "/crd/flinkdeployments.flink.apache.org-v1.yml";

  /** Fields that an application's deployment must have, by the operator's documentation. */
  private static final List<String> REQUIRED =
      List.of(
          "/spec/image",
          "/spec/flinkVersion",
          "/spec/serviceAccount",
          "/spec/job/jarURI",
          "/spec/job/entryClass",
          "/spec/job/parallelism",
          "/spec/job/upgradeMode",
          "/spec/jobManager/resource/memory",
          "/spec/jobManager/resource/cpu",
          "/spec/taskManager/resource/memory",
          "/spec/taskManager/resource/cpu");

  private final Schema schema;

  FlinkSchema() {
    JsonNode version = definition().at("/spec/versions/0");
    ObjectNode root = (ObjectNode) version.at("/schema/openAPIV3Schema");
    ObjectNode properties = (ObjectNode) root.get("properties");
    properties
        .putObject("apiVersion")
        .put("const", "flink.apache.org/" + version.path("name").asText());
    properties.putObject("kind").put("const", "FlinkDeployment");
    // Kubernetes' own schema checks the metadata.
    properties.putObject("metadata").put("type", "object");
    ArrayNode required = root.putArray("required");
    Stream.of("apiVersion", "kind", "metadata", "spec").forEach(required::add);
    close(root);
    schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(root.toString(), InputFormat.JSON);
  }

  private static JsonNode definition() {
    try (InputStream in = FlinkSchema.class.getResourceAsStream(DEFINITION)) {
      return Yaml.MAPPER.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Refuses fields that the definition does not name, which Kubernetes would drop. */
  private static void close(JsonNode schema) {
    if (schema instanceof ObjectNode object && object.get("properties") instanceof ObjectNode) {
      object.put("additionalProperties", false);
    }
    schema.forEach(FlinkSchema::close);
  }

  /** Returns the errors of a deployment. */
  List<String> mistakes(ObjectNode deployment) {
    return Stream.concat(
            schema.validate(deployment.toString(), InputFormat.JSON).stream()
                .map(mistake -> mistake.getMessage()),
            REQUIRED.stream()
                .filter(path -> deployment.at(path).isMissingNode())
                .map(path -> path + ": is missing"))
        .toList();
  }
}
