package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages fit the network buffers of the TaskManagers, even if the client assumes other sizes. */
class NetworkBuffersITCase {

  private static final int SEGMENT_BYTES = 4096;

  /** Number of values that fit a quarter of such a buffer after a message's header. */
  private static final int CHUNK_LENGTH = 192;

  @RegisterExtension
  private static final MiniClusterExtension CLUSTER =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setConfiguration(settings(SEGMENT_BYTES))
              .setNumberTaskManagers(2)
              .setNumberSlotsPerTaskManager(1)
              .build());

  @TempDir private Path folder;

  private static Configuration settings(int segmentBytes) {
    Configuration settings = new Configuration();
    settings.set(TaskManagerOptions.MEMORY_SEGMENT_SIZE, new MemorySize(segmentBytes));
    return settings;
  }

  @ParameterizedTest
  @ValueSource(ints = {1024 * 1024, SEGMENT_BYTES})
  void messagesFitTheBuffersOfTheTaskManagers(int segmentBytesOfTheClient) throws Exception {
    Files.writeString(folder.resolve("points.csv"), rows(200, 1));
    Files.writeString(folder.resolve("points.test.csv"), rows(20, 2));
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(settings(segmentBytesOfTheClient));
    env.execute(
        TrainingGraph.of(
            env,
            "--data",
            folder.resolve("points.csv").toString(),
            "--workers",
            "2",
            "--epochs",
            "1",
            "--batch",
            "20",
            "--out",
            folder.toString()));

    RunHistory history = RunHistory.read(folder.resolve("history.jsonl"));
    assertThat(history.head().chunkLength()).isEqualTo(CHUNK_LENGTH);
    assertThat(history.head().math())
        .singleElement()
        .satisfies(
            use -> {
              assertThat(use.workers()).containsExactly(0, 1);
              assertThat(use.kernels().describe()).isEqualTo(history.head().nativeLibrary());
            });
    assertThat(history.outcome().map(Outcome::ledgerExact)).hasValue(true);
  }

  private static String rows(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < count; i++) {
      double x = random.nextDouble(-1, 1);
      rows.append(x).append(',').append(random.nextDouble()).append(',').append(x > 0 ? 1 : 0);
      rows.append('\n');
    }
    return rows.toString();
  }
}
