package dev.braid.job.cluster;

import dev.braid.job.console.UsageException;
import dev.braid.job.engine.NetworkMemory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;

/**
 * Plan of a cluster on this machine. Its processes listen only on the loopback address, except
 * Prometheus' reporter.
 *
 * @param taskManagers number of TaskManagers
 * @param slots number of slots of each TaskManager
 * @param prometheusPort first port of the reporters; empty for no reporters
 * @param tls whether processes and clients authenticate each other and encrypt
 * @param settings Flink settings, which override all others
 */
record ClusterPlan(
    int taskManagers,
    int slots,
    OptionalInt prometheusPort,
    boolean tls,
    Map<String, String> settings) {

  static final String HOST = "127.0.0.1";

  /** Key of Braid's own for the addresses of all web UIs, separated by commas. */
  static final String WEB = "braid.cluster.web";

  /** Memory for each slot beyond the number of slots in the shipped configuration. */
  private static final MemorySize PER_SLOT = MemorySize.ofMebiBytes(256);

  /** Spare ports for processes that are started later. */
  private static final int SPARE_REPORTERS = 16;

  /**
   * Ports of a cluster.
   *
   * @param web ports of web UIs and REST interfaces, one for each JobManager
   * @param rpc port of the JobManager for TaskManagers, without high availability
   * @param zooKeeper port of ZooKeeper, if it elects the leading JobManager
   */
  record Ports(List<Integer> web, int rpc, OptionalInt zooKeeper) {}

  /**
   * Returns the settings in which a cluster in this folder differs from the shipped ones.
   *
   * @param shipped the settings shipped with Braid
   */
  Map<String, String> settings(Configuration shipped, ClusterFolder folder, Ports ports) {
    Map<String, String> own = new LinkedHashMap<>();
    own.put(JobManagerOptions.ADDRESS.key(), HOST);
    own.put(JobManagerOptions.PORT.key(), Integer.toString(ports.rpc()));
    own.put(JobManagerOptions.BIND_HOST.key(), HOST);
    own.put(RestOptions.ADDRESS.key(), HOST);
    own.put(RestOptions.BIND_ADDRESS.key(), HOST);
    own.put(RestOptions.PORT.key(), Integer.toString(ports.web().get(0)));
    own.put(TaskManagerOptions.HOST.key(), HOST);
    own.put(TaskManagerOptions.BIND_HOST.key(), HOST);
    own.put(
        WEB,
        ports.web().stream()
            .map(port -> (tls ? "https://" : "http://") + HOST + ":" + port)
            .collect(Collectors.joining(",")));
    own.put(CoreOptions.TMP_DIRS.key(), folder.tmp().toString());
    own.put(WebOptions.TMP_DIR.key(), folder.tmp().toString());
    own.put(CheckpointingOptions.CHECKPOINTS_DIRECTORY.key(), "file://" + folder.checkpoints());
    own.put(CheckpointingOptions.SAVEPOINT_DIRECTORY.key(), "file://" + folder.savepoints());
    putMemory(own, shipped);
    ports.zooKeeper().ifPresent(port -> putHighAvailability(own, folder, port));
    prometheusPort.ifPresent(port -> putPrometheus(own, port));
    own.putAll(settings);
    return own;
  }

  /** Sets the network memory that a job on all slots needs with chaos events. */
  private void putMemory(Map<String, String> own, Configuration shipped) {
    NetworkMemory need = new NetworkMemory(taskManagers * slots, true);
    MemorySize network = need.size(slots, need.segment());
    MemorySize shippedNetwork = shipped.get(TaskManagerOptions.NETWORK_MEMORY_MAX);
    if (network.compareTo(shippedNetwork) < 0) {
      network = shippedNetwork;
    }
    long process =
        shipped.get(TaskManagerOptions.TOTAL_PROCESS_MEMORY).getBytes()
            + network.getBytes()
            - shippedNetwork.getBytes()
            + PER_SLOT.getBytes()
                * Math.max(0, slots - shipped.get(TaskManagerOptions.NUM_TASK_SLOTS));
    own.put(TaskManagerOptions.NUM_TASK_SLOTS.key(), Integer.toString(slots));
    own.put(TaskManagerOptions.MEMORY_SEGMENT_SIZE.key(), need.segment().getKibiBytes() + "kb");
    own.put(TaskManagerOptions.NETWORK_MEMORY_MIN.key(), network.getKibiBytes() + "kb");
    own.put(TaskManagerOptions.NETWORK_MEMORY_MAX.key(), network.getKibiBytes() + "kb");
    own.put(TaskManagerOptions.TOTAL_PROCESS_MEMORY.key(), (process >> 20) + "mb");
  }

  private static void putHighAvailability(Map<String, String> own, ClusterFolder folder, int port) {
    own.put(HighAvailabilityOptions.HA_MODE.key(), "zookeeper");
    own.put(HighAvailabilityOptions.HA_ZOOKEEPER_QUORUM.key(), HOST + ":" + port);
    own.put(HighAvailabilityOptions.HA_STORAGE_PATH.key(), "file://" + folder.highAvailability());
    own.put(HighAvailabilityOptions.ZOOKEEPER_SESSION_TIMEOUT.key(), "5 s");
  }

  private void putPrometheus(Map<String, String> own, int port) {
    own.put(
        "metrics.reporter.prom.factory.class",
        "org.apache.flink.metrics.prometheus.PrometheusReporterFactory");
    own.put("metrics.reporter.prom.port", port + "-" + (port + taskManagers + SPARE_REPORTERS));
  }

  /** Returns a message with the addresses of the metrics; empty without reporters. */
  Optional<String> reporters() {
    return prometheusPort.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ("metrics will be at http://%s:%d/metrics and the next free ports, one for each "
                    + "process, on all addresses of this machine")
                .formatted(HOST, prometheusPort.getAsInt()));
  }

  /** Returns a value; refuses one that is out of range. */
  static int inRange(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new UsageException(option + " " + value + ": must be from " + least + " to " + most);
    }
    return value;
  }
}
