package dev.braid.job.engine;

import dev.braid.job.console.UsageException;
import dev.braid.job.options.Checkpoints;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.options.Validation;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.RpcOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;

/** All settings that Braid makes in Flink's configuration. */
public final class FlinkSettings {

  /** First port tried for the web UI, which uses the first free one. */
  public static final int FIRST_WEB_PORT = 8081;

  public static final int LAST_WEB_PORT = 8180;

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private FlinkSettings() {}

  /** Returns the settings of a training job, independent of where it runs. */
  public static Configuration job(TrainOptions options) {
    return job(
        options.recovery().stateBackend().title(),
        options.recovery().checkpointInterval(),
        options.recovery().checkpointDir(),
        options.recovery().restore());
  }

  /**
   * Returns the settings that a job needs wherever it runs.
   *
   * @param backend title of its state backend
   * @param interval time between two checkpoints
   * @param checkpointDir place of its checkpoints; empty for that of the cluster
   * @param restore checkpoint to start from, if any
   */
  public static Configuration job(
      String backend, Duration interval, Optional<String> checkpointDir, Optional<String> restore) {
    Configuration settings = new Configuration();
    settings.set(PipelineOptions.OBJECT_REUSE, true);
    settings.set(PipelineOptions.GENERIC_TYPES, false);
    // Flink's maximum parallelism stays unset. Flink then takes that of the restored checkpoint, or
    // else 128, and more for more than 85 ranks. A value set here could never change.
    CheckedBackend.set(settings, backend);
    settings.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
    settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, interval);
    settings.set(CheckpointingOptions.MAX_CONCURRENT_CHECKPOINTS, 1);
    settings.set(CheckpointingOptions.ENABLE_UNALIGNED, false);
    // While the network is cut, checkpoints fail, but training must continue.
    settings.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
    settings.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    // Flink restores operator state byte by byte. From a plain file, each byte is a system call;
    // from a compressed file it is not, and small state is stored inline.
    settings.set(ExecutionOptions.SNAPSHOT_COMPRESSION, true);
    settings.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.ofMebiBytes(1));
    checkpointDir.ifPresent(place -> setCheckpointDir(settings, place));
    restore.ifPresent(place -> settings.set(StateRecoveryOptions.SAVEPOINT_PATH, asUri(place)));
    return settings;
  }

  /**
   * Returns the restart strategy for a cluster without one. Flink's default delay grows from one
   * second to one minute, so a job might start a minute after missing slots have become available.
   */
  public static Configuration restartingSoon() {
    Configuration settings = new Configuration();
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
    settings.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF,
        Duration.ofMillis(100));
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_BACKOFF_MULTIPLIER, 1.5);
    settings.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
        Duration.ofSeconds(5));
    settings.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_RESET_BACKOFF_THRESHOLD,
        Duration.ofSeconds(20));
    return settings;
  }

  /**
   * Returns the setting for a run that resumes without some of its checkpoint's state, which has
   * been checked.
   */
  public static Configuration droppingState() {
    Configuration settings = new Configuration();
    settings.set(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE, true);
    return settings;
  }

  /**
   * Returns the settings of the embedded Flink.
   *
   * @throws UsageException if the limit of this process's memory is too low for its ranks
   */
  public static Configuration embedded(TrainOptions options) {
    Configuration settings = job(options);
    if (options.recovery().checkpointDir().isEmpty()) {
      setCheckpointDir(settings, Checkpoints.placeOf(options));
    }
    embed(settings, options.results().webPort());
    NetworkMemory need = NetworkMemory.of(options);
    // Direct memory is limited to the size of the heap, unless JAVA_OPTS sets another limit.
    need.checkFits(new MemorySize(Runtime.getRuntime().maxMemory()));
    MemorySize segment = need.segment();
    MemorySize network = need.size(options.ranks(), segment);
    settings.set(TaskManagerOptions.MEMORY_SEGMENT_SIZE, segment);
    settings.set(TaskManagerOptions.NETWORK_MEMORY_MIN, network);
    settings.set(TaskManagerOptions.NETWORK_MEMORY_MAX, network);
    return settings;
  }

  /**
   * Adds the settings of an embedded Flink: it listens only on this machine and restarts jobs soon.
   *
   * @param webPort port of the web UI; empty for the first free one
   */
  public static void embed(Configuration settings, OptionalInt webPort) {
    settings.set(JobManagerOptions.BIND_HOST, "localhost");
    settings.set(TaskManagerOptions.BIND_HOST, "localhost");
    settings.set(RestOptions.ADDRESS, "localhost");
    settings.set(RestOptions.BIND_ADDRESS, "localhost");
    settings.set(RestOptions.BIND_PORT, webPorts(webPort));
    setReadOnlyWeb(settings);
    // The client receives progress with heartbeats and by REST, so both are frequent.
    settings.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, Duration.ofMillis(500));
    // All runs in one process: a component that does not answer is slow, as while many workers
    // start, and cannot be unreachable.
    settings.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, PATIENCE);
    settings.set(RpcOptions.ASK_TIMEOUT_DURATION, PATIENCE);
    settings.set(WebOptions.REFRESH_INTERVAL, Duration.ofMillis(200));
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 3);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(200));
    settings.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(256));
  }

  /** Makes the embedded Flink export its metrics at a port of the loopback address. */
  public static void addMetrics(Configuration settings, int port) {
    settings.set(
        reporter(MetricOptions.REPORTER_FACTORY_CLASS.key()),
        LoopbackMetricsFactory.class.getName());
    settings.set(reporter(LoopbackMetrics.PORT), Integer.toString(port));
  }

  private static ConfigOption<String> reporter(String key) {
    return ConfigOptions.key("metrics.reporter.loopback." + key).stringType().noDefaultValue();
  }

  private static String webPorts(OptionalInt webPort) {
    return webPort.isPresent()
        ? Integer.toString(webPort.getAsInt())
        : FIRST_WEB_PORT + "-" + LAST_WEB_PORT;
  }

  /**
   * Makes the web UI read-only: jobs are not submitted through it, and the user stops the run in
   * the terminal.
   */
  private static void setReadOnlyWeb(Configuration settings) {
    settings.set(ReadOnlyWeb.ENABLED, true);
    settings.set(WebOptions.SUBMIT_ENABLE, false);
    settings.set(WebOptions.CANCEL_ENABLE, false);
    settings.set(WebOptions.RESCALE_ENABLE, false);
    // Empty, because the web UI has the server's own origin and needs no permission.
    settings.set(WebOptions.ACCESS_CONTROL_ALLOW_ORIGIN, "");
  }

  private static void setCheckpointDir(Configuration settings, String place) {
    SealedStorage.set(settings);
    settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, asUri(place));
  }

  /**
   * Returns a place as a URI; a path without a scheme becomes one of the local disk. Flink would
   * resolve such a path in its default file system. Flink's URIs are not escaped, so Java's, which
   * escape a space as three characters, cannot be used.
   */
  public static String asUri(String place) {
    return new org.apache.flink.core.fs.Path(place).toUri().getScheme() == null
        ? "file://" + Validation.localPath(place)
        : place;
  }

  /** Returns whether a place has a scheme, which names its file system. */
  public static boolean hasScheme(String place) {
    return new org.apache.flink.core.fs.Path(place).toUri().getScheme() != null;
  }

  /**
   * Returns a place as the URI that Flink resolves it to: without a scheme, in the default file
   * system. Empty if this process does not know the default file system.
   */
  public static Optional<String> qualified(String place) {
    org.apache.flink.core.fs.Path path = new org.apache.flink.core.fs.Path(place);
    try {
      return Optional.of(path.makeQualified(path.getFileSystem()).toString());
    } catch (IOException e) {
      return path.toUri().getScheme() == null ? Optional.empty() : Optional.of(place);
    }
  }
}
