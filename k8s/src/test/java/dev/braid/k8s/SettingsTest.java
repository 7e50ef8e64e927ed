package dev.braid.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.braid.job.cli.Converters;
import dev.braid.job.engine.NetworkMemory;
import dev.braid.job.options.TrainFlags;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.options.Validation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.jobmanager.JobManagerProcessUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Flink's settings are those that Braid ships, and suit the number of workers. */
class SettingsTest {

  private static final Path SHIPPED = Manifests.FOLDER.resolveSibling("conf/config.yaml");

  /**
   * Memory of each slot beyond the number in the shipped configuration, which states this value.
   */
  private static final MemorySize PER_SLOT = MemorySize.ofMebiBytes(256);

  /** Settings that depend on the number of workers, which are computed below. */
  private static final Set<String> OF_SIZE =
      Set.of(
          TaskManagerOptions.NUM_TASK_SLOTS.key(),
          TaskManagerOptions.MEMORY_SEGMENT_SIZE.key(),
          TaskManagerOptions.NETWORK_MEMORY_MIN.key(),
          TaskManagerOptions.NETWORK_MEMORY_MAX.key(),
          TaskManagerOptions.TOTAL_PROCESS_MEMORY.key());

  /** Parser of the options of {@code braid train}. */
  @Command
  private static final class Train {
    @Mixin private TrainFlags flags = new TrainFlags();

    /**
     * Replaces places that do not exist here: S3 is a plug-in of the cluster, and the init
     * container writes the properties.
     */
    static TrainOptions options(List<String> arguments) {
      Train train = new Train();
      CommandLine commandLine = new CommandLine(train);
      Converters.register(commandLine);
      commandLine.parseArgs(
          arguments.stream()
              .map(it -> it.replaceFirst("^s3://", "/"))
              .map(it -> it.replaceFirst("^/kafka/client.properties$", "/dev/null"))
              .toArray(String[]::new));
      return train.flags.options();
    }
  }

  static List<Path> deployable() {
    return Manifests.deployable();
  }

  @ParameterizedTest
  @MethodSource("deployable")
  void theyAreThoseThatBraidShips(Path folder) throws IOException {
    Map<String, String> own = settings(Manifests.training(folder));
    Map<String, String> shipped = texts(Yaml.object(SHIPPED));
    assertThat(shipped).isNotEmpty();
    shipped.forEach(
        (key, value) -> {
          assertThat(own).containsKey(key);
          if (!OF_SIZE.contains(key)) {
            assertThat(own).containsEntry(key, value);
          }
        });
  }

  @ParameterizedTest
  @MethodSource("deployable")
  void memoryFitsToTheWorkers(Path folder) {
    ObjectNode training = Manifests.training(folder);
    TrainOptions options = Train.options(arguments(training));
    Validation.checkNumbers(options);
    Configuration own = Configuration.fromMap(settings(training));
    Configuration shipped = Configuration.fromMap(texts(Yaml.object(SHIPPED)));
    int slots = own.get(TaskManagerOptions.NUM_TASK_SLOTS);
    // Equal with and without chaos events, so that these may be added.
    NetworkMemory need = new NetworkMemory(options.ranks(), true);
    MemorySize segment = own.get(TaskManagerOptions.MEMORY_SEGMENT_SIZE);
    MemorySize network = own.get(TaskManagerOptions.NETWORK_MEMORY_MAX);
    assertThat(segment).isEqualTo(need.segment());
    assertThat(own.get(TaskManagerOptions.NETWORK_MEMORY_MIN)).isEqualTo(network);
    MemorySize least = need.size(slots, segment);
    MemorySize shippedNetwork = shipped.get(TaskManagerOptions.NETWORK_MEMORY_MAX);
    assertThat(network).isGreaterThanOrEqualTo(least).isGreaterThanOrEqualTo(shippedNetwork);
    assertThat(network.getMebiBytes())
        .as("no more than is needed")
        .isLessThanOrEqualTo(Math.max(least.getMebiBytes() + 1, shippedNetwork.getMebiBytes()));
    int more =
        network.getMebiBytes()
            - shippedNetwork.getMebiBytes()
            + PER_SLOT.getMebiBytes() * (slots - shipped.get(TaskManagerOptions.NUM_TASK_SLOTS));
    assertThat(own.get(TaskManagerOptions.TOTAL_PROCESS_MEMORY).getMebiBytes())
        .isEqualTo(shipped.get(TaskManagerOptions.TOTAL_PROCESS_MEMORY).getMebiBytes() + more);
    assertThat(training.at("/spec/job/parallelism").asInt()).isEqualTo(options.ranks());
    assertThat(training.at("/spec/taskManager/resource/cpu").asInt())
        .as("a core for each slot")
        .isEqualTo(slots);
  }

  /** The documentation's table of sizes has the computed numbers. */
  @Test
  void theDocumentsHaveTheSameNumbers() throws IOException {
    String page = Files.readString(Manifests.FOLDER.resolveSibling("docs/how-to/kubernetes.md"));
    List<MatchResult> rows =
        Pattern.compile("(?m)^\\| (\\d+) \\| (\\d+) \\| (\\d+)mb \\| (\\d+)kb \\| (\\d+)m \\|$")
            .matcher(page)
            .results()
            .toList();
    assertThat(rows).hasSizeGreaterThan(3);
    Configuration shipped = Configuration.fromMap(texts(Yaml.object(SHIPPED)));
    int shippedNetwork = shipped.get(TaskManagerOptions.NETWORK_MEMORY_MAX).getMebiBytes();
    for (MatchResult row : rows) {
      NetworkMemory need = new NetworkMemory(Integer.parseInt(row.group(1)), true);
      int slots = Integer.parseInt(row.group(2));
      long bytes = need.size(slots, need.segment()).getBytes();
      int network = (int) Math.max(shippedNetwork, (bytes + (1 << 20) - 1) >> 20);
      int process =
          shipped.get(TaskManagerOptions.TOTAL_PROCESS_MEMORY).getMebiBytes()
              + network
              - shippedNetwork
              + PER_SLOT.getMebiBytes() * (slots - shipped.get(TaskManagerOptions.NUM_TASK_SLOTS));
      assertThat(row.group())
          .isEqualTo(
              "| %s | %d | %dmb | %dkb | %dm |"
                  .formatted(row.group(1), slots, network, need.segment().getKibiBytes(), process));
    }
  }

  /** The check uses the same code as Flink's start scripts and its Kubernetes support. */
  @ParameterizedTest
  @MethodSource("deployable")
  void flinkCanDivideTheMemory(Path folder) {
    Configuration own = Configuration.fromMap(settings(Manifests.training(folder)));
    TaskExecutorProcessSpec spec = TaskExecutorProcessUtils.processSpecFromConfig(own);
    assertThat(spec.getNetworkMemSize()).isEqualTo(own.get(TaskManagerOptions.NETWORK_MEMORY_MAX));
    assertThat(spec.getJvmHeapMemorySize())
        .as("three times the young generation")
        .isGreaterThan(MemorySize.ofMebiBytes(3 * 256));
    assertThatCode(() -> JobManagerProcessUtils.processSpecFromConfig(own))
        .doesNotThrowAnyException();
  }

  /** A misspelt key would have no effect. */
  @ParameterizedTest
  @MethodSource("deployable")
  void flinkKnowsEachSetting(Path folder) {
    Map<String, String> own = settings(Manifests.training(folder));
    Configuration typed = Configuration.fromMap(own);
    KnownSettings known = new KnownSettings();
    assertThat(own.keySet()).allSatisfy(key -> known.check(key, typed));
  }

  @Test
  void aSettingWithASlipIsFound() {
    Configuration typed = Configuration.fromMap(Map.of("heartbeat.interval", "soon"));
    assertThatCode(() -> new KnownSettings().check("heartbeat.intervall", typed))
        .hasMessageContaining("heartbeat.intervall");
    assertThatCode(() -> new KnownSettings().check("heartbeat.interval", typed))
        .hasMessageContaining("heartbeat.interval");
  }

  /** The image has the Flink version that Braid is built for. */
  @Test
  void theImageIsOfTheSameFlink() throws IOException {
    String version = flinkVersion();
    assertThat(Files.readString(Manifests.FOLDER.resolve("Dockerfile")))
        .contains("\nARG FLINK_VERSION=" + version + "\n");
    assertThat(
            Manifests.training(Manifests.FOLDER.resolve("base")).at("/spec/flinkVersion").asText())
        .isEqualTo("v" + version.replaceFirst("\\.\\d+$", "").replace('.', '_'));
  }

  /** The documentation names the plug-ins of the Flink version that Braid is built for. */
  @Test
  void thePlugInsInTheDocumentationAreOfTheSameFlink() throws IOException {
    Pattern artifact = Pattern.compile("org\\.apache\\.flink:[\\w-]+:([\\w.-]+)");
    List<String> versions = new ArrayList<>();
    try (Stream<Path> pages = Files.walk(Manifests.FOLDER.resolveSibling("docs"))) {
      for (Path page : pages.filter(it -> it.toString().endsWith(".md")).toList()) {
        artifact.matcher(Files.readString(page)).results().forEach(it -> versions.add(it.group(1)));
      }
    }
    assertThat(versions).isNotEmpty().containsOnly(flinkVersion());
  }

  private static String flinkVersion() throws IOException {
    return Files.readString(Manifests.FOLDER.resolveSibling("pom.xml"))
        .replaceFirst("(?s).*<flink.version>([^<]*)</flink.version>.*", "$1");
  }

  private static List<String> arguments(ObjectNode training) {
    List<String> arguments = new ArrayList<>();
    training.at("/spec/job/args").forEach(argument -> arguments.add(argument.asText()));
    assertThat(arguments.remove(0)).isEqualTo("train");
    return arguments;
  }

  /** Returns the settings, including those that the operator derives from the resources. */
  private static Map<String, String> settings(ObjectNode training) {
    Map<String, String> settings = texts((ObjectNode) training.at("/spec/flinkConfiguration"));
    settings.put(
        TaskManagerOptions.TOTAL_PROCESS_MEMORY.key(),
        training.at("/spec/taskManager/resource/memory").asText());
    settings.put(
        JobManagerOptions.TOTAL_PROCESS_MEMORY.key(),
        training.at("/spec/jobManager/resource/memory").asText());
    return settings;
  }

  private static Map<String, String> texts(ObjectNode object) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      assertThat(field.getValue().isValueNode()).as(field.getKey()).isTrue();
      texts.put(field.getKey(), field.getValue().asText());
    }
    return texts;
  }
}
