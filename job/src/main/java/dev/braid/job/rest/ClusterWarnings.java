package dev.braid.job.rest;

import dev.braid.job.engine.NetworkMemory;
import dev.braid.run.result.Versions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;

/** Warnings, one line each, about properties of a cluster that impair training, with remedies. */
final class ClusterWarnings {

  private static final String SHIPPED = " (see conf/config.yaml of Braid)";

  /** Longest acceptable time to detect the loss of a TaskManager. */
  private static final Duration LONGEST_DETECTION = Duration.ofSeconds(5);

  /** Name of the checkpoint storage in the JobManager's memory. */
  private static final String OF_JOB_MANAGER = "jobmanager";

  private final ClusterFacts cluster;
  private final Configuration client;
  private final NetworkMemory need;

  private ClusterWarnings(ClusterFacts cluster, Configuration client, NetworkMemory need) {
    this.cluster = cluster;
    this.client = client;
    this.need = need;
  }

  /**
   * Returns the warnings for a training job that is to be submitted.
   *
   * @param client settings with which the job is submitted
   */
  static List<String> of(ClusterFacts cluster, Configuration client, NetworkMemory need) {
    ClusterWarnings warnings = new ClusterWarnings(cluster, client, need);
    return Stream.of(
            warnings.flinkVersion(),
            LibraryCheck.of(cluster.classPath(), Versions.clusterLibraries()),
            warnings.segmentSize(),
            warnings.networkMemory(),
            warnings.checkpointStorage(),
            warnings.detection())
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<String> flinkVersion() {
    String built = minor(Versions.flink());
    return minor(cluster.flinkVersion()).equals(built)
        ? Optional.empty()
        : Optional.of(
            "this cluster runs Flink "
                + cluster.flinkVersion()
                + ", but this Braid is built for "
                + built);
  }

  private static String minor(String version) {
    return version.replaceFirst("^(\\d+\\.\\d+).*", "$1");
  }

  private Optional<String> segmentSize() {
    return segment().compareTo(need.segment()) >= 0
        ? Optional.empty()
        : Optional.of(
            ("taskmanager.memory.segment-size is %s on this cluster: with %s, messages are "
                        + "larger and fewer")
                    .formatted(kibibytes(segment()), kibibytes(need.segment()))
                + SHIPPED);
  }

  private MemorySize segment() {
    return cluster.settings().get(TaskManagerOptions.MEMORY_SEGMENT_SIZE);
  }

  /**
   * Warns of too little network memory. The placement of ranks is not known yet: a TaskManager may
   * run as many as it has slots.
   */
  private Optional<String> networkMemory() {
    return cluster.taskManagers().stream()
        .filter(one -> need.size(one.slots(), segment()).compareTo(one.networkMemory()) > 0)
        .max(Comparator.comparingInt(ClusterFacts.TaskManager::slots))
        .map(this::tooLittle);
  }

  private String tooLittle(ClusterFacts.TaskManager one) {
    long needed = mebibytes(need.size(one.slots(), segment()));
    long is = one.networkMemory().getMebiBytes();
    return ("a TaskManager has %d MB of network memory, but with %d of %d workers and "
                + "servers on it needs %d MB: ")
            .formatted(is, Math.min(one.slots(), need.ranks()), need.ranks(), needed)
        + ("set taskmanager.memory.network.min and .max to %dmb, and add %dmb to "
                + "taskmanager.memory.process.size")
            .formatted(needed, needed - is);
  }

  private Optional<String> checkpointStorage() {
    return Stream.of(client, cluster.settings()).anyMatch(ClusterWarnings::storesCheckpoints)
        ? Optional.empty()
        : Optional.of(
            "without --checkpoint-dir and execution.checkpointing.dir, checkpoints of this "
                + "cluster are in the JobManager's memory: at most 5 MB per task, and lost when "
                + "it ends");
  }

  private static boolean storesCheckpoints(Configuration settings) {
    return settings.getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY).isPresent()
        || settings
            .getOptional(CheckpointingOptions.CHECKPOINT_STORAGE)
            .filter(storage -> !storage.equals(OF_JOB_MANAGER))
            .isPresent();
  }

  /**
   * Warns if the loss of a process is detected late. It is detected by failed heartbeats or by
   * their time-out.
   */
  private Optional<String> detection() {
    Configuration settings = cluster.settings();
    Duration interval = settings.get(HeartbeatManagerOptions.HEARTBEAT_INTERVAL);
    Duration detection = settings.get(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT);
    int failures = settings.get(HeartbeatManagerOptions.HEARTBEAT_RPC_FAILURE_THRESHOLD);
    if (failures > 0 && interval.multipliedBy(failures).compareTo(detection) < 0) {
      detection = interval.multipliedBy(failures);
    }
    return detection.compareTo(LONGEST_DETECTION) <= 0
        ? Optional.empty()
        : Optional.of(
            ("heartbeat.interval is %d s on this cluster: it takes %d s to detect the loss of a"
                        + " TaskManager; with 300 ms and heartbeat.rpc-failure-threshold: 2 it takes one"
                        + " second")
                    .formatted(interval.toSeconds(), detection.toSeconds())
                + SHIPPED);
  }

  private static String kibibytes(MemorySize size) {
    return size.getKibiBytes() + "kb";
  }

  private static long mebibytes(MemorySize size) {
    return (size.getBytes() + (1 << 20) - 1) >> 20;
  }
}
