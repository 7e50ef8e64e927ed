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

/** Every setting of Flink that Braid makes. */
public final class FlinkSettings {

  /** The web UI is at the first port from here on that is free. */
  public static final int FIRST_WEB_PORT = 8081;

  public static final int LAST_WEB_PORT = 8180;

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private FlinkSettings() {}

  /** Returns the settings of a training, wherever it runs. */
  public static Configuration job(TrainOptions options) {
    return job(
        options.stateBackend().title(),
        options.checkpointInterval(),
        options.checkpointDir(),
        options.restore());
  }

  /**
   * Returns what a job needs wherever it runs.
   *
   * @param backend title of its state backend
   * @param interval time between two checkpoints
   * @param checkpointDir place of its checkpoints; empty for that of the cluster
   * @param restore the checkpoint that it begins with
   */
  public static Configuration job(
      String backend, Duration interval, Optional<String> checkpointDir, Optional<String> restore) {
    Configuration settings = new Configuration();
    settings.set(PipelineOptions.OBJECT_REUSE, true);
    settings.set(PipelineOptions.GENERIC_TYPES, false);
    // None of Flink's maximum parallelism: it is then that of the checkpoint that a job goes on
    // from, or else 128, and more for more than 85 ranks. One that is set has to be the same for
    // ever.
    CheckedBackend.set(settings, backend);
    settings.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
    settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, interval);
    settings.set(CheckpointingOptions.MAX_CONCURRENT_CHECKPOINTS, 1);
    settings.set(CheckpointingOptions.ENABLE_UNALIGNED, false);
    // A cut network lets checkpoints fail, not training.
    settings.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
    settings.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    // Flink restores operator state byte by byte: from a plain file that is a call of the system
    // for
    // each, from a compressed one it is not, and small state comes inline.
    settings.set(ExecutionOptions.SNAPSHOT_COMPRESSION, true);
    settings.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.ofMebiBytes(1));
    checkpointDir.ifPresent(place -> setCheckpointDir(settings, place));
    restore.ifPresent(place -> settings.set(StateRecoveryOptions.SAVEPOINT_PATH, asUri(place)));
    return settings;
  }

  /**
   * How a cluster's job is restarted where nobody has configured it. Flink's own default begins
   * with a second, and comes to wait for a minute: so late would a job begin after the slots that
   * it lacked have come.
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

  /** Of a run that goes on without some of its checkpoint's state, which it has looked at. */
  public static Configuration droppingState() {
    Configuration settings = new Configuration();
    settings.set(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE, true);
    return settings;
  }

  /**
   * What the embedded Flink needs besides.
   *
   * @throws UsageException if this process may not have as much memory as its ranks need
   */
  public static Configuration embedded(TrainOptions options) {
    Configuration settings = job(options);
    if (options.checkpointDir().isEmpty()) {
      setCheckpointDir(settings, Checkpoints.placeOf(options));
    }
    embed(settings, options.webPort());
    NetworkMemory need = NetworkMemory.of(options);
    // As much as of heap, if JAVA_OPTS does not say otherwise.
    need.checkFits(new MemorySize(Runtime.getRuntime().maxMemory()));
    MemorySize segment = need.segment();
    MemorySize network = need.size(options.ranks(), segment);
    settings.set(TaskManagerOptions.MEMORY_SEGMENT_SIZE, segment);
    settings.set(TaskManagerOptions.NETWORK_MEMORY_MIN, network);
    settings.set(TaskManagerOptions.NETWORK_MEMORY_MAX, network);
    return settings;
  }

  /**
   * Adds what an embedded Flink needs: it listens on this machine only, and restarts jobs soon.
   *
   * @param webPort port of the web UI; none given: the first that is free
   */
  public static void embed(Configuration settings, OptionalInt webPort) {
    settings.set(JobManagerOptions.BIND_HOST, "localhost");
    settings.set(TaskManagerOptions.BIND_HOST, "localhost");
    settings.set(RestOptions.ADDRESS, "localhost");
    settings.set(RestOptions.BIND_ADDRESS, "localhost");
    settings.set(RestOptions.BIND_PORT, webPorts(webPort));
    setReadOnlyWeb(settings);
    // The client's progress comes with heartbeats, and by REST.
    settings.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, Duration.ofMillis(500));
    // All is one process: what does not answer is slow, as where many workers begin, and not gone.
    settings.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, PATIENCE);
    settings.set(RpcOptions.ASK_TIMEOUT_DURATION, PATIENCE);
    settings.set(WebOptions.REFRESH_INTERVAL, Duration.ofMillis(200));
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 3);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(200));
    settings.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(256));
  }

  /** Has the embedded Flink show its metrics at a port, to this machine alone. */
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

  /** Nobody sends the embedded Flink a job; who stops it has its terminal. */
  private static void setReadOnlyWeb(Configuration settings) {
    settings.set(ReadOnlyWeb.ENABLED, true);
    settings.set(WebOptions.SUBMIT_ENABLE, false);
    settings.set(WebOptions.CANCEL_ENABLE, false);
    settings.set(WebOptions.RESCALE_ENABLE, false);
    // None: the web UI is of the server's own origin, and needs no leave.
    settings.set(WebOptions.ACCESS_CONTROL_ALLOW_ORIGIN, "");
  }

  private static void setCheckpointDir(Configuration settings, String place) {
    SealedStorage.set(settings);
    settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, asUri(place));
  }

  /**
   * Flink takes a path without a scheme for one of its default file system; and its URIs are not
   * escaped, so that Java's would turn a space into three characters.
   */
  public static String asUri(String place) {
    return new org.apache.flink.core.fs.Path(place).toUri().getScheme() == null
        ? "file://" + Validation.localPath(place)
        : place;
  }

  /** Whether a place says of which file system it is. */
  public static boolean hasScheme(String place) {
    return new org.apache.flink.core.fs.Path(place).toUri().getScheme() != null;
  }

  /**
   * A place as a URI, where Flink was given it: without a scheme it is one of the default file
   * system; none if this process does not know that one.
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
