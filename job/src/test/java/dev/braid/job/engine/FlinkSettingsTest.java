package dev.braid.job.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.DataLocation;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.options.LearningOptions;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.options.WorkerBounds;
import dev.braid.learner.math.MathChoice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.state.StateBackendLoader;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

public class FlinkSettingsTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 16, 17, 32, 33, 64})
  void networkMemoryStaysWithinReason(int workers) {
    Configuration settings = FlinkSettings.embedded(options(workers, Optional.empty()));
    assertThat(settings.get(TaskManagerOptions.NETWORK_MEMORY_MAX).getMebiBytes())
        .isBetween(16, 1024);
  }

  @Test
  void checkpointsGoBesideTheResultsUnlessToldOtherwise() {
    assertThat(dir(FlinkSettings.embedded(options(4, Optional.empty()))))
        .isEqualTo("file:///some where/out/checkpoints");
    assertThat(dir(FlinkSettings.embedded(options(4, Optional.of("/else where")))))
        .isEqualTo("file:///else where");
    assertThat(dir(FlinkSettings.embedded(options(4, Optional.of("s3://bucket/c")))))
        .isEqualTo("s3://bucket/c");
  }

  @Test
  void aPlaceThatFlinkWasGivenIsOneOfItsDefaultFileSystem() {
    assertThat(FlinkSettings.qualified("/some where/chk-1")).contains("file:/some where/chk-1");
    assertThat(FlinkSettings.qualified("file:///chk-1")).contains("file:/chk-1");
    assertThat(FlinkSettings.qualified("nowhere://chk-1")).contains("nowhere://chk-1");
  }

  @Test
  void leavesTheClustersOwnAffairsToIt() throws Exception {
    Configuration settings = FlinkSettings.job(options(4, Optional.empty()));
    assertThat(settings.contains(CheckpointingOptions.CHECKPOINTS_DIRECTORY)).isFalse();
    assertThat(settings.keySet())
        .noneMatch(
            key ->
                key.startsWith("taskmanager")
                    || key.startsWith("rest")
                    || key.startsWith("heartbeat")
                    || key.startsWith("restart-strategy"));
    CheckedBackend backend =
        (CheckedBackend)
            StateBackendLoader.loadStateBackendFromConfig(
                settings, getClass().getClassLoader(), LoggerFactory.getLogger(getClass()));
    assertThat(backend.flink().getName()).isEqualTo(new EmbeddedRocksDBStateBackend().getName());
  }

  @Test
  void aJobThatNobodyConfiguredRestartsOfIsRestartedSoon() {
    Configuration settings = FlinkSettings.restartingSoon();
    assertThat(settings.keySet()).allMatch(key -> key.startsWith("restart-strategy"));
    assertThat(settings.get(RestartStrategyOptions.RESTART_STRATEGY))
        .isEqualTo("exponential-delay");
    assertThat(
            settings.get(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF))
        .isLessThanOrEqualTo(Duration.ofMillis(100));
    assertThat(settings.get(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF))
        .isLessThanOrEqualTo(Duration.ofSeconds(5));
  }

  private static String dir(Configuration settings) {
    return settings.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY);
  }

  private static TrainOptions options(int workers, Optional<String> checkpointDir) {
    return options(
        workers, checkpointDir, Path.of("/some where/out").toString(), OptionalInt.empty());
  }

  /** Returns the options of a run with results at a place and its web UI at any port. */
  public static TrainOptions options(int workers, String out) {
    return options(workers, Optional.empty(), out, OptionalInt.of(0));
  }

  private static TrainOptions options(
      int workers, Optional<String> checkpointDir, String out, OptionalInt webPort) {
    return new TrainOptions(
        "mlp",
        new TrainOptions.Samples(DataLocation.of(DataLocation.MNIST), Optional.empty()),
        new TrainOptions.Sharing(
            WorkerBounds.of(workers), ExchangeType.RING, ExchangeOptions.defaults(2)),
        new TrainOptions.Learning(
            1,
            OptionalDouble.empty(),
            100,
            Optional.empty(),
            OptionalDouble.empty(),
            LearningOptions.NONE,
            MathChoice.PORTABLE,
            1),
        new TrainOptions.Recovery(
            checkpointDir,
            Duration.ofSeconds(1),
            Optional.empty(),
            false,
            TrainOptions.StateBackend.ROCKSDB),
        new TrainOptions.Faults(Optional.empty(), Optional.empty()),
        new TrainOptions.Results(out, webPort, Optional.empty()),
        TrainOptions.Given.ALL);
  }
}
