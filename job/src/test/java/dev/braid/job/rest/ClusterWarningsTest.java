package dev.braid.job.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.engine.NetworkMemory;
import dev.braid.run.result.Versions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterWarningsTest {

  private static final Map<String, String> GOOD =
      Map.of(
          "taskmanager.memory.segment-size", "256kb",
          "execution.checkpointing.dir", "file:///checkpoints",
          "heartbeat.interval", "300 ms");

  private static final NetworkMemory FOUR = new NetworkMemory(4, false);

  @Test
  void aClusterThatIsAsItShouldBeGivesNone() {
    assertThat(warnings(cluster(GOOD), FOUR)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "taskmanager.memory.segment-size | 32kb | taskmanager.memory.segment-size is 32kb on this"
            + " cluster: with 256kb, messages are larger and fewer (see conf/config.yaml of Braid)",
        "heartbeat.interval | 10 s | heartbeat.interval is 10 s on this cluster: it takes 20 s to"
            + " detect the loss of a TaskManager; with 300 ms and heartbeat.rpc-failure-threshold:"
            + " 2 it takes one second (see conf/config.yaml of Braid)",
        "heartbeat.rpc-failure-threshold | -1 | heartbeat.interval is 0 s on this cluster: it takes"
            + " 50 s to detect the loss of a TaskManager; with 300 ms and"
            + " heartbeat.rpc-failure-threshold: 2 it takes one second (see conf/config.yaml of"
            + " Braid)",
        "execution.checkpointing.dir | | without --checkpoint-dir and execution.checkpointing.dir,"
            + " checkpoints of this cluster are in the JobManager's memory: at most 5 MB per task,"
            + " and lost when it ends"
      })
  void oneSettingGivesOne(String key, String value, String warning) {
    Map<String, String> settings = new HashMap<>(GOOD);
    settings.remove(key);
    if (value != null) {
      settings.put(key, value);
    }
    assertThat(warnings(cluster(settings), FOUR)).containsExactly(warning);
  }

  @Test
  void checkpointsMayHaveAPlaceInTheJobsSettings() {
    Map<String, String> settings = new HashMap<>(GOOD);
    settings.remove("execution.checkpointing.dir");
    Configuration client =
        Configuration.fromMap(Map.of("execution.checkpointing.dir", "s3://bucket/checkpoints"));
    assertThat(ClusterWarnings.of(cluster(settings), client, FOUR)).isEmpty();
    settings.put("state.checkpoints.dir", "file:///by/its/old/name");
    assertThat(warnings(cluster(settings), FOUR)).isEmpty();
  }

  /** Exactly the size of the formula suffices, and a byte less does not. */
  @ParameterizedTest
  @CsvSource({"4, 2", "8, 4", "16, 8"})
  void networkMemoryIsEnoughOrNot(int ranks, int slots) {
    NetworkMemory need = new NetworkMemory(ranks, false);
    MemorySize enough = need.size(slots, MemorySize.parse("256kb"));
    assertThat(warnings(cluster(GOOD, new ClusterFacts.TaskManager(slots, enough)), need))
        .isEmpty();
    MemorySize tooLittle = enough.subtract(new MemorySize(1));
    assertThat(
            warnings(
                cluster(
                    GOOD,
                    new ClusterFacts.TaskManager(1, enough),
                    new ClusterFacts.TaskManager(slots, tooLittle)),
                need))
        .singleElement()
        .asString()
        .contains("with " + slots + " of " + ranks + " workers and servers on it needs ");
  }

  @Test
  void networkMemoryIsToldWithTheNumberToSet() {
    ClusterFacts cluster =
        cluster(GOOD, new ClusterFacts.TaskManager(8, MemorySize.ofMebiBytes(128)));
    assertThat(warnings(cluster, new NetworkMemory(16, false)))
        .containsExactly(
            "a TaskManager has 128 MB of network memory, but with 8 of 16 workers and servers on it"
                + " needs 330 MB: set taskmanager.memory.network.min and .max to 330mb, and add"
                + " 202mb to taskmanager.memory.process.size");
  }

  @Test
  void anotherFlinkIsTold() {
    ClusterFacts good = cluster(GOOD);
    ClusterFacts old =
        new ClusterFacts("2.1.0", good.settings(), good.classPath(), good.taskManagers());
    assertThat(warnings(old, FOUR))
        .containsExactly("this cluster runs Flink 2.1.0, but this Braid is built for 2.2");
  }

  @Test
  void librariesAreLookedForAmongTheJobManagersJars() {
    Map<String, String> expected = Map.of("nd4j-native", "1.0.0-M2.1");
    assertThat(LibraryCheck.of(List.of("/lib/flink-dist-2.2.1.jar"), expected))
        .hasValueSatisfying(line -> assertThat(line).contains("class path has no nd4j-native: "));
    assertThat(
            LibraryCheck.of(
                List.of(
                    "/lib/flink-dist-2.2.1.jar",
                    "/lib/nd4j-native-1.0.0-beta7.jar",
                    "/lib/nd4j-native-api-1.0.0-M2.1.jar"),
                expected))
        .hasValueSatisfying(
            line -> assertThat(line).contains("nd4j-native 1.0.0-beta7, not 1.0.0-M2.1"));
    assertThat(
            LibraryCheck.of(
                List.of("flink-runtime-2.2.1.jar", "nd4j-native-1.0.0-M2.1-linux-x86_64-avx2.jar"),
                expected))
        .isEmpty();
    assertThat(LibraryCheck.of(List.of("/app.jar", "/lib/"), expected)).isEmpty();
  }

  private static List<String> warnings(ClusterFacts cluster, NetworkMemory need) {
    return ClusterWarnings.of(cluster, new Configuration(), need);
  }

  private static ClusterFacts cluster(
      Map<String, String> settings, ClusterFacts.TaskManager... taskManagers) {
    List<String> jars =
        Versions.clusterLibraries().entrySet().stream()
            .map(library -> "/lib/" + library.getKey() + "-" + library.getValue() + ".jar")
            .toList();
    return new ClusterFacts(
        Versions.flink(),
        Configuration.fromMap(settings),
        java.util.stream.Stream.concat(
                java.util.stream.Stream.of("/lib/flink-dist-2.2.1.jar"), jars.stream())
            .toList(),
        List.of(taskManagers));
  }
}
