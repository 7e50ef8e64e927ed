package dev.braid.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.braid.chaos.stream.KafkaTopic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.SecurityOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties of pods that the manifests must ensure, and values that must agree between them. */
class PodsTest {

  static List<Path> deployable() {
    return Manifests.deployable();
  }

  static List<Path> withChaos() {
    return Manifests.withChaos();
  }

  static List<Path> withTls() {
    return deployable().stream().filter(folder -> folder.toString().endsWith("-tls")).toList();
  }

  @ParameterizedTest
  @MethodSource("deployable")
  void nobodyIsRootAndRootIsReadOnly(Path folder) {
    for (JsonNode pod : pods(folder)) {
      JsonNode security = pod.path("securityContext");
      assertThat(security.path("runAsNonRoot").asBoolean()).isTrue();
      assertThat(security.path("runAsUser").asInt()).isPositive();
      assertThat(security.at("/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
      for (JsonNode container : containers(pod)) {
        JsonNode inside = container.path("securityContext");
        assertThat(inside.path("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(inside.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
        assertThat(inside.at("/capabilities/drop")).extracting(JsonNode::asText).contains("ALL");
      }
    }
  }

  /** All places that Flink and Braid write to are on volumes, and all volumes are used. */
  @ParameterizedTest
  @MethodSource("deployable")
  void whatIsWrittenToIsAVolume(Path folder) {
    for (JsonNode pod : pods(folder)) {
      Set<String> mounted = new TreeSet<>();
      containers(pod).forEach(it -> mounted.addAll(texts(it.path("volumeMounts"), "name")));
      assertThat(texts(pod.path("volumes"), "name")).containsExactlyInAnyOrderElementsOf(mounted);
    }
    ObjectNode training = Manifests.training(folder);
    JsonNode mounts = training.at("/spec/podTemplate/spec/containers/0/volumeMounts");
    assertThat(texts(mounts, "mountPath")).contains("/tmp", "/opt/flink/log");
    JsonNode settings = training.at("/spec/flinkConfiguration");
    Set<String> ofRecovery = new TreeSet<>();
    for (String key :
        List.of(
            "high-availability.storageDir",
            "execution.checkpointing.dir",
            "execution.checkpointing.savepoint-dir")) {
      ofRecovery.add(volume(mounts, settings.path(key).asText()));
    }
    String ofResults = volume(mounts, argument(training, "--out"));
    assertThat(volume(mounts, settings.path("io.tmp.dirs").asText())).isEqualTo("tmp");
    assertThat(ofRecovery).hasSize(1);
    if (!ofResults.equals("s3")) {
      assertThat(ofRecovery).as("results that fill their volume").doesNotContain(ofResults);
    }
  }

  /** Returns the volume of a place. */
  private static String volume(JsonNode mounts, String place) {
    if (place.startsWith("s3://")) {
      return "s3";
    }
    String path = place.replaceFirst("^file://", "") + "/";
    for (JsonNode mount : mounts) {
      if (path.startsWith(mount.path("mountPath").asText() + "/")) {
        return mount.path("name").asText();
      }
    }
    throw new AssertionError(place + ": on no volume");
  }

  @ParameterizedTest
  @MethodSource("deployable")
  void whatPodsNameIsThere(Path folder) {
    Set<String> ids = ids(folder);
    Set<String> secrets = new HashSet<>(Set.of("braid-tls", "braid-cluster-ca-cert"));
    ids.stream()
        .filter(id -> id.startsWith("kafka.strimzi.io/v1 KafkaUser "))
        .forEach(id -> secrets.add(id.substring(id.lastIndexOf(' ') + 1)));
    ObjectNode training = Manifests.training(folder);
    for (JsonNode pod : pods(folder)) {
      for (JsonNode volume : pod.path("volumes")) {
        assertThere(
            volume.at("/persistentVolumeClaim/claimName"), "v1 PersistentVolumeClaim ", ids);
        assertThere(volume.at("/configMap/name"), "v1 ConfigMap ", ids);
        assertThere(volume.at("/secret/secretName"), "", secrets);
      }
      assertThat(containers(pod))
          .allSatisfy(
              container -> {
                if (!container.path("name").asText().equals("flink-main-container")) {
                  assertThat(container.path("image")).isEqualTo(training.at("/spec/image"));
                }
              });
    }
    assertThat(ids).contains("v1 ServiceAccount " + training.at("/spec/serviceAccount").asText());
  }

  private static void assertThere(JsonNode name, String kind, Set<String> all) {
    if (!name.isMissingNode()) {
      assertThat(all).contains(kind + name.asText());
    }
  }

  /** The alerts name the namespace, too, because an absent training job reports none. */
  @ParameterizedTest
  @MethodSource("deployable")
  void everythingIsInOneNamespace(Path folder) {
    List<ObjectNode> objects = Kustomization.build(folder);
    assertThat(objects)
        .filteredOn(object -> !object.path("kind").asText().equals("Namespace"))
        .extracting(object -> object.at("/metadata/namespace").asText())
        .containsOnly("braid");
    assertThat(Manifests.only(folder, "monitoring.coreos.com/v1 PrometheusRule braid").toString())
        .contains("namespace=\\\"braid\\\"")
        .doesNotContainPattern("namespace=\\\\\"(?!braid)");
  }

  /** Drains evict one TaskManager at a time, and leave no node that cannot be drained. */
  @ParameterizedTest
  @MethodSource("deployable")
  void drainsTakeOneByOne(Path folder) {
    ObjectNode training = Manifests.training(folder);
    JsonNode settings = training.at("/spec/flinkConfiguration");
    int slots = settings.path("taskmanager.numberOfTaskSlots").asInt();
    int spare = settings.path("slotmanager.redundant-taskmanager-num").asInt();
    int taskManagers = (training.at("/spec/job/parallelism").asInt() + slots - 1) / slots + spare;
    ObjectNode budget = Manifests.only(folder, "policy/v1 PodDisruptionBudget braid-taskmanager");
    assertThat(budget.at("/spec/minAvailable").asInt()).isEqualTo(taskManagers - 1);
    ObjectNode other = Manifests.only(folder, "policy/v1 PodDisruptionBudget braid-jobmanager");
    assertThat(other.at("/spec/maxUnavailable").asInt()).isOne();
    for (String component : List.of("jobManager", "taskManager")) {
      String name = component.toLowerCase(Locale.ROOT);
      JsonNode spread =
          training.at("/spec/" + component + "/podTemplate/spec/topologySpreadConstraints/0");
      assertThat(spread.path("labelSelector"))
          .isEqualTo(
              Manifests.only(folder, "policy/v1 PodDisruptionBudget braid-" + name)
                  .at("/spec/selector"));
      assertThat(spread.at("/labelSelector/matchLabels/component").asText()).isEqualTo(name);
    }
  }

  @ParameterizedTest
  @MethodSource("deployable")
  void withoutChaosThereIsNoKafka(Path folder) {
    boolean mentionsKafka =
        Kustomization.build(folder).stream()
            .anyMatch(object -> object.toString().toLowerCase(Locale.ROOT).contains("kafka"));
    assertThat(mentionsKafka).isEqualTo(withChaos().contains(folder));
  }

  /** The topics have the names that Braid derives from --chaos-topic. */
  @ParameterizedTest
  @MethodSource("withChaos")
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
    for (ObjectNode topic : topics) {
      assertThat(topic.at("/metadata/labels/strimzi.io~1cluster").asText()).isEqualTo("braid");
      assertThat(topic.at("/spec/partitions").asInt()).as("keeps events in order").isEqualTo(1);
    }
    assertThat(acls(folder, "braid-trainer"))
        .isEqualTo(
            Map.of(
                chaos.name(),
                "Read",
                chaos.applied().name(),
                "Write",
                chaos.deadLetters().name(),
                "Write"));
    assertThat(acls(folder, "braid-operator"))
        .isEqualTo(Map.of(chaos.name(), "Write", chaos.applied().name(), "Read"));
  }

  private static Map<String, String> acls(Path folder, String user) {
    Map<String, String> acls = new TreeMap<>();
    Manifests.only(folder, "kafka.strimzi.io/v1 KafkaUser " + user)
        .at("/spec/authorization/acls")
        .forEach(
            acl -> {
              assertThat(acl.path("operations")).hasSize(1);
              acls.put(acl.at("/resource/name").asText(), acl.at("/operations/0").asText());
            });
    return acls;
  }

  /** Kafka has one listener, with TLS and passwords. */
  @ParameterizedTest
  @MethodSource("withChaos")
  void kafkaAsksEverybodyWhoTheyAre(Path folder) {
    JsonNode kafka = Manifests.only(folder, "kafka.strimzi.io/v1 Kafka braid").at("/spec/kafka");
    assertThat(kafka.path("listeners")).hasSize(1);
    JsonNode listener = kafka.at("/listeners/0");
    assertThat(listener.path("tls").asBoolean()).isTrue();
    assertThat(listener.at("/authentication/type").asText()).isEqualTo("scram-sha-512");
    assertThat(kafka.at("/authorization/type").asText()).isEqualTo("simple");
    String broker = "braid-kafka-bootstrap:" + listener.path("port").asInt();
    ObjectNode training = Manifests.training(folder);
    assertThat(argument(training, "--kafka-brokers")).isEqualTo(broker);
    JsonNode wait = training.at("/spec/jobManager/podTemplate/spec/initContainers/0");
    assertThat(wait.path("command")).extracting(JsonNode::asText).contains(broker);
    assertThat(training.at("/spec/taskManager/podTemplate/spec").has("initContainers")).isFalse();
    ObjectNode policy = Manifests.only(folder, "networking.k8s.io/v1 NetworkPolicy braid");
    assertThat(policy.at("/spec/egress").toString())
        .contains("\"port\":" + listener.path("port").asInt());
  }

  /** The stores come from a Secret, and both sides of each connection present a certificate. */
  @ParameterizedTest
  @MethodSource("withTls")
  void flinkAsksEverybodyWhoTheyAre(Path folder) {
    ObjectNode training = Manifests.training(folder);
    Map<String, String> texts = new TreeMap<>();
    training
        .at("/spec/flinkConfiguration")
        .properties()
        .forEach(setting -> texts.put(setting.getKey(), setting.getValue().asText()));
    Configuration settings = Configuration.fromMap(texts);
    assertThat(SecurityOptions.isInternalSSLEnabled(settings)).isTrue();
    assertThat(SecurityOptions.isRestSSLAuthenticationEnabled(settings)).isTrue();
    JsonNode mounts = training.at("/spec/podTemplate/spec/containers/0/volumeMounts");
    for (ConfigOption<String> store :
        List.of(
            SecurityOptions.SSL_INTERNAL_KEYSTORE,
            SecurityOptions.SSL_INTERNAL_TRUSTSTORE,
            SecurityOptions.SSL_REST_KEYSTORE,
            SecurityOptions.SSL_REST_TRUSTSTORE)) {
      assertThat(volume(mounts, settings.get(store))).isEqualTo("tls");
      assertThat(texts).containsKey(store.key() + "-password");
    }
    assertThat(texts)
        .as("the kubelet has no certificate")
        .containsEntry("kubernetes.operator.jm-deployment.startup.probe.enabled", "false");
  }

  /** Prometheus scrapes the port of Flink's reporter, and the network policy permits that. */
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

  /** Returns the pods of the training job, merged into one, and the other pods. */
  private static List<JsonNode> pods(Path folder) {
    ObjectNode training = Manifests.training(folder);
    ObjectNode pod = (ObjectNode) training.at("/spec/podTemplate/spec");
    JsonNode more = training.at("/spec/jobManager/podTemplate/spec/initContainers");
    if (!more.isMissingNode()) {
      pod.set("initContainers", more);
    }
    List<JsonNode> pods = new ArrayList<>(List.of(pod));
    Kustomization.build(folder).stream()
        .filter(object -> object.path("kind").asText().equals("Deployment"))
        .forEach(object -> pods.add(object.at("/spec/template/spec")));
    return pods;
  }

  private static List<JsonNode> containers(JsonNode pod) {
    List<JsonNode> containers = new ArrayList<>();
    pod.path("containers").forEach(containers::add);
    pod.path("initContainers").forEach(containers::add);
    return containers;
  }

  private static Set<String> ids(Path folder) {
    Set<String> ids = new HashSet<>();
    Kustomization.build(folder).forEach(object -> ids.add(Kustomization.id(object)));
    return ids;
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
