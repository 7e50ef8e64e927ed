package dev.braid.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.braid.chaos.stream.KafkaTopic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the manifests promise of pods, and what has to be the same in several of them. */
class PodsTest {

  static List<Path> deployable() {
    return Manifests.deployable();
  }

  @ParameterizedTest
  @MethodSource("deployable")
  void nobodyIsRootAndRootIsReadOnly(Path folder) {
    ObjectNode training = Manifests.training(folder);
    JsonNode pod = training.at("/spec/podTemplate/spec/securityContext");
    assertThat(pod.path("runAsNonRoot").asBoolean()).isTrue();
    assertThat(pod.path("runAsUser").asInt()).isPositive();
    assertThat(pod.at("/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
    assertThat(containers(training)).hasSize(2);
    for (JsonNode container : containers(training)) {
      JsonNode security = container.path("securityContext");
      assertThat(security.path("readOnlyRootFilesystem").asBoolean()).isTrue();
      assertThat(security.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
      assertThat(security.at("/capabilities/drop")).extracting(JsonNode::asText).contains("ALL");
    }
  }

  /** All places that Flink and Braid write to are on volumes, and all volumes are used. */
  @ParameterizedTest
  @MethodSource("deployable")
  void whatIsWrittenToIsAVolume(Path folder) {
    ObjectNode training = Manifests.training(folder);
    JsonNode pod = training.at("/spec/podTemplate/spec");
    List<String> mounts = texts(pod.at("/containers/0/volumeMounts"), "mountPath");
    assertThat(mounts).contains("/tmp", "/opt/flink/log");
    assertThat(texts(pod.path("volumes"), "name"))
        .containsExactlyInAnyOrderElementsOf(texts(pod.at("/containers/0/volumeMounts"), "name"));
    JsonNode settings = training.at("/spec/flinkConfiguration");
    List<String> places = new ArrayList<>();
    List.of(
            "high-availability.storageDir",
            "execution.checkpointing.dir",
            "execution.checkpointing.savepoint-dir")
        .forEach(key -> places.add(settings.path(key).asText()));
    places.add(argument(training, "--out"));
    places.add(settings.path("io.tmp.dirs").asText());
    for (String place : places) {
      if (!place.startsWith("s3://")) {
        String path = place.replaceFirst("^file://", "");
        assertThat(mounts).as(place).anyMatch(mount -> (path + "/").startsWith(mount + "/"));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("deployable")
  void claimsAccountsAndImagesAreThere(Path folder) {
    ObjectNode training = Manifests.training(folder);
    Set<String> ids = new HashSet<>();
    Kustomization.build(folder).forEach(object -> ids.add(Kustomization.id(object)));
    for (JsonNode volume : training.at("/spec/podTemplate/spec/volumes")) {
      JsonNode claim = volume.at("/persistentVolumeClaim/claimName");
      if (!claim.isMissingNode()) {
        assertThat(ids).contains("v1 PersistentVolumeClaim " + claim.asText());
      }
    }
    assertThat(ids).contains("v1 ServiceAccount " + training.at("/spec/serviceAccount").asText());
    String image = training.at("/spec/image").asText();
    assertThat(training.at("/spec/jobManager/podTemplate/spec/initContainers/0/image").asText())
        .isEqualTo(image);
  }

  /** The names that Braid itself makes of the topic's, on the cluster whose broker it is told. */
  @ParameterizedTest
  @MethodSource("deployable")
  void theTopicsAreThoseThatBraidUses(Path folder) {
    ObjectNode training = Manifests.training(folder);
    String broker = argument(training, "--kafka-brokers");
    KafkaTopic chaos = new KafkaTopic(broker, argument(training, "--chaos-topic"), Map.of());
    List<ObjectNode> topics =
        Kustomization.build(folder).stream()
            .filter(object -> object.path("kind").asText().equals("KafkaTopic"))
            .toList();
    assertThat(topics.stream().map(object -> object.at("/metadata/name").asText()))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(chaos, chaos.applied(), chaos.deadLetters()).map(KafkaTopic::name).toList());
    ObjectNode kafka = Manifests.only(folder, "kafka.strimzi.io/v1 Kafka braid");
    int port = kafka.at("/spec/kafka/listeners/0/port").asInt();
    assertThat(broker).isEqualTo("braid-kafka-bootstrap:" + port);
    assertThat(training.at("/spec/jobManager/podTemplate/spec/initContainers/0/command/2").asText())
        .contains("/dev/tcp/" + broker.replace(':', '/'));
    for (ObjectNode topic : topics) {
      assertThat(topic.at("/metadata/labels/strimzi.io~1cluster").asText()).isEqualTo("braid");
      assertThat(topic.at("/spec/partitions").asInt()).as("keeps events in order").isEqualTo(1);
    }
    int brokers =
        Manifests.only(folder, "kafka.strimzi.io/v1 KafkaNodePool both")
            .at("/spec/replicas")
            .asInt();
    assertThat(topics.stream().map(topic -> topic.at("/spec/replicas").asInt()))
        .containsOnly(Math.min(3, brokers));
  }

  /** Prometheus is told of the port at which Flink's reporter is, and is let in there. */
  @ParameterizedTest
  @MethodSource("deployable")
  void metricsAreWhereTheyAreLookedFor(Path folder) {
    ObjectNode training = Manifests.training(folder);
    int reporter =
        Integer.parseInt(
            training.at("/spec/flinkConfiguration").path("metrics.reporter.prom.port").asText());
    JsonNode port = training.at("/spec/podTemplate/spec/containers/0/ports/0");
    assertThat(port.path("containerPort").asInt()).isEqualTo(reporter);
    ObjectNode monitor = Manifests.only(folder, "monitoring.coreos.com/v1 PodMonitor braid");
    assertThat(monitor.at("/spec/podMetricsEndpoints/0/port").asText())
        .isEqualTo(port.path("name").asText());
    ObjectNode policy = Manifests.only(folder, "networking.k8s.io/v1 NetworkPolicy braid");
    assertThat(policy.at("/spec/ingress/2/ports/0/port").asInt()).isEqualTo(reporter);
    assertThat(policy.at("/spec/podSelector/matchLabels"))
        .isEqualTo(monitor.at("/spec/selector/matchLabels"));
    assertThat(policy.at("/spec/podSelector/matchLabels/app").asText())
        .as("Flink labels pods with the deployment's name")
        .isEqualTo(training.at("/metadata/name").asText());
  }

  @ParameterizedTest
  @MethodSource("deployable")
  void theAutoscalerIsOff(Path folder) {
    assertThat(
            Manifests.training(folder)
                .at("/spec/flinkConfiguration")
                .path("job.autoscaler.enabled")
                .asText())
        .isEqualTo("false");
  }

  private static List<JsonNode> containers(ObjectNode training) {
    List<JsonNode> containers = new ArrayList<>();
    training.at("/spec/podTemplate/spec/containers").forEach(containers::add);
    training.at("/spec/jobManager/podTemplate/spec/initContainers").forEach(containers::add);
    return containers;
  }

  private static String argument(ObjectNode training, String option) {
    List<String> arguments = new ArrayList<>();
    training.at("/spec/job/args").forEach(argument -> arguments.add(argument.asText()));
    assertThat(arguments).contains(option);
    return arguments.get(arguments.indexOf(option) + 1);
  }

  private static List<String> texts(JsonNode list, String field) {
    List<String> texts = new ArrayList<>();
    list.forEach(element -> texts.add(element.path(field).asText()));
    return texts;
  }
}
