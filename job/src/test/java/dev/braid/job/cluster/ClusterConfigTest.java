package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterConfigTest {

  /** A setting, or a commented one that the user may enable. */
  private static final Pattern LINE = Pattern.compile("(?:# )?([a-z][\\w.-]*\\.[\\w.-]+): (.+)");

  /** Keys for which Flink declares no option. */
  private static final Pattern FREE =
      Pattern.compile("containerized\\.taskmanager\\.env\\..*|metrics\\.reporter\\.prom\\..*");

  private static final List<Class<?>> OPTIONS =
      List.of(
          CheckpointingOptions.class,
          CoreOptions.class,
          HeartbeatManagerOptions.class,
          HighAvailabilityOptions.class,
          JobManagerOptions.class,
          RestOptions.class,
          RestartStrategyOptions.class,
          TaskManagerOptions.class,
          WebOptions.class);

  private static final ClusterPlan.Ports PORTS =
      new ClusterPlan.Ports(List.of(8081), 6123, OptionalInt.empty());

  @TempDir private Path folder;

  /** A misspelt key would have no effect, unnoticed. */
  @Test
  void allShippedKeysAndValuesAreFlinks() throws Exception {
    Map<String, ConfigOption<?>> known = options();
    Map<String, String> found = new HashMap<>();
    for (String line : Files.readAllLines(Path.of("..", "conf", "config.yaml"))) {
      Matcher setting = LINE.matcher(line);
      if (setting.matches() && !FREE.matcher(setting.group(1)).matches()) {
        found.put(setting.group(1), setting.group(2));
      }
    }
    assertThat(found).hasSizeGreaterThan(20);
    assertThat(known.keySet()).containsAll(found.keySet());
    Configuration read = Configuration.fromMap(found);
    assertThat(found.keySet()).allSatisfy(key -> assertThat(read.get(known.get(key))).isNotNull());
  }

  private static Map<String, ConfigOption<?>> options() throws IllegalAccessException {
    Map<String, ConfigOption<?>> options = new HashMap<>();
    for (Class<?> of : OPTIONS) {
      for (Field field : of.getFields()) {
        if (ConfigOption.class.isAssignableFrom(field.getType())) {
          ConfigOption<?> option = (ConfigOption<?>) field.get(null);
          options.put(option.key(), option);
        }
      }
    }
    return options;
  }

  /** Packages and thresholds are also in the parent pom and the launcher. */
  @Test
  void shippedJvmOptionsAreThoseOfTheLauncher() throws Exception {
    Configuration shipped = ClusterConfig.shipped().settings();
    Matcher packages =
        Pattern.compile("<flink.jvm.args>(.*)</flink.jvm.args>")
            .matcher(Files.readString(Path.of("..", "pom.xml")));
    assertThat(packages.find()).isTrue();
    assertThat(shipped.get(CoreOptions.FLINK_JVM_OPTIONS)).isEqualTo(packages.group(1));
    String launcher = Files.readString(Path.of("..", "braid"));
    assertThat(FlinkJvm.words(shipped.get(CoreOptions.FLINK_TM_JVM_OPTIONS)))
        .hasSizeGreaterThan(4)
        .allSatisfy(option -> assertThat(launcher).contains(option));
  }

  @Test
  void settingsTakeThePlaceOfOthersOrComeBesides() throws Exception {
    Map<String, String> own =
        Map.of(
            "taskmanager.numberOfTaskSlots", "7",
            "containerized.taskmanager.env.VERSION", "1.10",
            "containerized.taskmanager.env.MASK", "0x1F",
            "containerized.taskmanager.env.NOTHING", "null",
            "io.tmp.dirs", "/it's a folder: here # and there",
            "heartbeat.timeout", "4 s");
    String text = ClusterConfig.shipped().with(own).text();
    assertThat(text)
        .contains(
            "\ntaskmanager.numberOfTaskSlots: 7\n", "\n# A worker needs a slot, and a core.\n")
        .doesNotContain("numberOfTaskSlots: 2", "heartbeat.timeout: 10 s");
    ClusterFolder cluster = ClusterFolder.at(folder);
    write(cluster, own);
    Configuration read = cluster.configuration();
    assertThat(read.toMap()).containsAllEntriesOf(own);
    assertThat(read.get(WebOptions.ACCESS_CONTROL_ALLOW_ORIGIN)).isEmpty();
    assertThat(read.get(TaskManagerOptions.MEMORY_SEGMENT_SIZE))
        .isEqualTo(MemorySize.parse("256kb"));
  }

  private static void write(ClusterFolder cluster, Map<String, String> own) throws IOException {
    cluster.makeFolders();
    cluster.writeConfiguration(ClusterConfig.shipped().with(own));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " a", "a b", "a: b", "a\nb", "#a", "-a"})
  void whatCanBeNoKeyIsRefused(String key) {
    assertThatThrownBy(() -> ClusterConfig.shipped().with(Map.of(key, "1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a Flink key");
  }

  @Test
  void aValueOfTwoLinesIsRefused() {
    assertThatThrownBy(() -> ClusterConfig.shipped().with(Map.of("a.b", "1\nc.d: 2")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aClustersOwnSettingsAreOfTheLoopbackAddressAndItsFolder() {
    ClusterFolder place = ClusterFolder.at(folder);
    Map<String, String> own = plan(2, 2).settings(shipped(), place, PORTS);
    assertThat(own)
        .containsEntry("rest.bind-address", "127.0.0.1")
        .containsEntry("jobmanager.bind-host", "127.0.0.1")
        .containsEntry("taskmanager.bind-host", "127.0.0.1")
        .containsEntry("rest.port", "8081")
        .containsEntry("jobmanager.rpc.port", "6123")
        .containsEntry("execution.checkpointing.dir", "file://" + folder + "/checkpoints")
        .containsEntry("taskmanager.memory.process.size", "2560mb")
        .containsEntry("taskmanager.numberOfTaskSlots", "2");
    assertThat(own.keySet()).noneMatch(key -> key.startsWith("metrics"));
    assertThat(ClusterConfig.shipped().settings().keySet())
        .as("what each cluster has of its own is not shipped")
        .doesNotContain("rest.port", "io.tmp.dirs", "taskmanager.host");
  }

  @Test
  void memoryIsEnoughForAJobThatHasAllSlots() {
    Map<String, String> own = plan(2, 8).settings(shipped(), ClusterFolder.at(folder), PORTS);
    Configuration settings = Configuration.fromMap(own);
    MemorySize network = settings.get(TaskManagerOptions.NETWORK_MEMORY_MAX);
    assertThat(network.getMebiBytes()).isEqualTo(400);
    assertThat(settings.get(TaskManagerOptions.NETWORK_MEMORY_MIN)).isEqualTo(network);
    assertThat(settings.get(TaskManagerOptions.TOTAL_PROCESS_MEMORY).getMebiBytes())
        .isEqualTo(2560 + 6 * 256 + 400 - 132);
  }

  @Test
  void whatIsTypedGoesBeforeAllElse() {
    Map<String, String> typed = Map.of("taskmanager.memory.process.size", "4gb");
    ClusterPlan plan = new ClusterPlan(1, 1, OptionalInt.of(9249), false, typed);
    assertThat(plan.settings(shipped(), ClusterFolder.at(folder), PORTS))
        .containsAllEntriesOf(typed)
        .containsEntry("metrics.reporter.prom.port", "9249-9266");
  }

  @Test
  void highAvailabilityHasZooKeeperAndAnAddressForEachJobManager() throws Exception {
    ClusterFolder place = ClusterFolder.at(folder);
    Map<String, String> own =
        plan(1, 1)
            .settings(
                shipped(),
                place,
                new ClusterPlan.Ports(List.of(8081, 8082), 6123, OptionalInt.of(2181)));
    assertThat(own)
        .containsEntry("high-availability.type", "zookeeper")
        .containsEntry("high-availability.zookeeper.quorum", "127.0.0.1:2181")
        .containsEntry("high-availability.storageDir", "file://" + folder + "/ha");
    write(place, own);
    assertThat(ClusterMember.all(place, ClusterMember.taskManagers(2)))
        .extracting(ClusterMember::name)
        .containsExactly(
            "zookeeper", "jobmanager", "jobmanager-2", "taskmanager-1", "taskmanager-2");
    assertThat(ClusterMember.all(place, List.of()).get(2).arguments())
        .containsExactly("-D", "rest.port=8082");
  }

  private static ClusterPlan plan(int taskManagers, int slots) {
    return new ClusterPlan(taskManagers, slots, OptionalInt.empty(), false, Map.of());
  }

  private static Configuration shipped() {
    return ClusterConfig.shipped().settings();
  }
}
