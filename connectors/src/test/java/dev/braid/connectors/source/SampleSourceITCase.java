package dev.braid.connectors.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.DataLocation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.CommonTestUtils;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SampleSourceITCase {

  private static final int SAMPLES = 101;
  private static final int EPOCHS = 3;
  private static final long SEED = 7;
  private static final int BATCH = 5;
  private static final int HOLD = 4;

  @RegisterExtension
  static final MiniClusterExtension CLUSTER =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(6)
              .build());

  @TempDir Path folder;
  private DataLocation location;
  private String test;

  private MiniCluster miniCluster;

  @AfterEach
  void cancelWhatFailed() throws Exception {
    for (JobStatusMessage job : miniCluster.listJobs().get()) {
      if (!job.getJobState().isGloballyTerminalState()) {
        miniCluster.cancelJob(job.getJobId()).get();
      }
    }
  }

  @BeforeEach
  void writeData(TestInfo info, @InjectMiniCluster MiniCluster cluster) throws Exception {
    miniCluster = cluster;
    test = info.getDisplayName() + info.getTestMethod().orElseThrow().getName();
    Path file = folder.resolve("data.csv");
    Files.write(file, IntStream.range(0, SAMPLES).mapToObj(id -> id + ",1," + id % 3).toList());
    Files.write(folder.resolve("data.test.csv"), List.of("1,1,1"));
    location = DataLocation.of(file.toString());
    assertThat(location.check().train().samples()).isEqualTo(SAMPLES);
  }

  @Test
  void usesEverySampleOnceAnEpochAndEnds() throws Exception {
    try (CollectingWorker.Run run = new CollectingWorker.Run(test, 3, 0, false)) {
      job(run, 3, true, new Configuration()).getJobExecutionResult().get();
      assertExactlyOnce(run.used());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void goesOnFromTheLastCheckpointAfterFailures(boolean oneRegion) throws Exception {
    try (CollectingWorker.Run run = new CollectingWorker.Run(test, 3, HOLD, true)) {
      run.failuresAtCheckpoint.set(2);
      job(run, 3, oneRegion, checkpointing(50)).getJobExecutionResult().get();
      assertThat(run.opened).hasValueGreaterThan(3);
      assertExactlyOnce(run.used());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void beginsAgainAfterAFailureBeforeTheFirstCheckpoint(boolean oneRegion) throws Exception {
    try (CollectingWorker.Run run = new CollectingWorker.Run(test, 3, 0, false)) {
      run.failuresAtBatch.set(2);
      job(run, 3, oneRegion, checkpointing(60_000)).getJobExecutionResult().get();
      assertThat(run.opened).hasValueGreaterThan(3);
      assertExactlyOnce(run.used());
    }
  }

  @ParameterizedTest
  @CsvSource({"3, 3", "3, 2", "2, 5", "4, 1"})
  void goesOnFromASavepointWithOtherWorkers(int before, int after) throws Exception {
    String savepoint = savepoint(before);
    try (CollectingWorker.Run run = new CollectingWorker.Run(test + "2", after, 0, false)) {
      job(run, after, true, restoring(savepoint)).getJobExecutionResult().get();
      assertExactlyOnce(run.used());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void failsBeforeTheFirstCheckpointAfterRescaling(boolean oneRegion) throws Exception {
    String savepoint = savepoint(2);
    try (CollectingWorker.Run run = new CollectingWorker.Run(test + "2", 3, 0, false)) {
      run.failuresAtBatch.set(2);
      job(run, 3, oneRegion, restoring(savepoint)).getJobExecutionResult().get();
      assertThat(run.opened).hasValueGreaterThan(3);
      assertExactlyOnce(run.used());
    }
  }

  @Test
  void emitsTheSameBatchesAfterARestoreAsWithoutIt() throws Exception {
    Map<String, List<int[]>> whole;
    try (CollectingWorker.Run run = new CollectingWorker.Run(test, 3, 0, false)) {
      job(run, 3, true, new Configuration()).getJobExecutionResult().get();
      whole = run.batches();
    }
    String savepoint = savepoint(3);
    try (CollectingWorker.Run run = new CollectingWorker.Run(test + "2", 3, 0, false)) {
      job(run, 3, true, restoring(savepoint)).getJobExecutionResult().get();
      run.batches()
          .forEach(
              (worker, batches) -> {
                List<int[]> all = whole.get(worker);
                List<int[]> tail = all.subList(all.size() - batches.size(), all.size());
                assertThat(batches.size()).isLessThan(all.size());
                assertThat(
                        batches.stream()
                            .map(IntStream::of)
                            .map(IntStream::boxed)
                            .map(Stream::toList)
                            .toList())
                    .isEqualTo(
                        tail.stream()
                            .map(IntStream::of)
                            .map(IntStream::boxed)
                            .map(Stream::toList)
                            .toList());
              });
    }
  }

  private String savepoint(int workers) throws Exception {
    try (CollectingWorker.Run run = new CollectingWorker.Run(test, workers, HOLD, false)) {
      JobClient client = job(run, workers, true, new Configuration());
      run.held.await();
      CommonTestUtils.waitForAllTaskRunning(miniCluster, client.getJobID(), false);
      return client
          .stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
          .get();
    }
  }

  /**
   * @param oneRegion whether a shuffle connects the workers, so that they fail together
   */
  private JobClient job(
      CollectingWorker.Run run, int workers, boolean oneRegion, Configuration configuration)
      throws Exception {
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 5);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    environment.setParallelism(workers);
    DataStream<Integer> sizes =
        environment
            .fromSource(
                new SampleSource(location, SAMPLES, SEED, EPOCHS, BATCH),
                WatermarkStrategy.noWatermarks(),
                "samples")
            .uid("samples")
            .transform("worker", Types.INT, new CollectingWorker(run.name))
            .uid("worker");
    (oneRegion ? sizes.rebalance() : sizes).sinkTo(new DiscardingSink<>()).uid("sink");
    return environment.executeAsync();
  }

  private Configuration checkpointing(int intervalMillis) {
    return new Configuration()
        .set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(intervalMillis))
        .set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, folder.toUri().toString());
  }

  private Configuration restoring(String savepoint) {
    return new Configuration().set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
  }

  private static void assertExactlyOnce(List<int[]> used) {
    Map<Integer, List<Integer>> byEpoch = CollectingWorker.idsByEpoch(used);
    assertThat(byEpoch).hasSize(EPOCHS);
    byEpoch.forEach(
        (epoch, ids) ->
            assertThat(ids)
                .as("epoch %s", epoch)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, SAMPLES).boxed().toList()));
  }
}
