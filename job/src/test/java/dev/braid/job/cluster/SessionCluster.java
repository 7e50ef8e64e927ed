package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A {@link ProcessCluster} shared by all tests of this JVM, because its processes take longer to
 * start than most jobs to end. Before each test, it has as many TaskManagers with two slots as the
 * test requests, three by default, whatever the last test did to them. A job that a test leaves
 * running is cancelled at the test's end. Slots are taken from the TaskManager with the most free
 * slots. Register it in a static field:
 *
 * <pre>{@code
 * @RegisterExtension static final SessionCluster CLUSTER = new SessionCluster();
 * }</pre>
 */
final class SessionCluster implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback {

  private static final Namespace NAMESPACE = Namespace.create(SessionCluster.class);
  static final int TASK_MANAGERS = 3;

  private static final int PROMETHEUS_PORTS = 12;

  private final int taskManagers;
  private Running running;

  /** Creates a cluster with three TaskManagers before each test. */
  SessionCluster() {
    this(TASK_MANAGERS);
  }

  /** Creates a cluster with a number of TaskManagers; starting more than necessary takes time. */
  SessionCluster(int taskManagers) {
    this.taskManagers = taskManagers;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    running =
        context
            .getRoot()
            .getStore(NAMESPACE)
            .getOrComputeIfAbsent(Running.class, key -> Running.start(), Running.class);
  }

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    cluster().keepTaskManagers(taskManagers);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      keepLogs();
    }
    ClusterRun.jobs(cluster()).forEach(cluster()::cancel);
  }

  ProcessCluster cluster() {
    return running.cluster;
  }

  /** Keeps the logs for the analysis of a failure. */
  void keepLogs() {
    running.keepLogs = true;
  }

  /** Returns the folder for the results and checkpoints of this cluster's runs. */
  Path folder() {
    return running.folder;
  }

  /** Starts a run of {@code braid train} through Flink's client. */
  ClusterRun train(String name, int epochs, String... options) throws IOException {
    return ClusterRun.train(cluster(), folder().resolve(name), epochs, options);
  }

  /** Returns the digest of an undisturbed run with four workers, in this JVM. */
  String undisturbed(String exchange, int epochs) throws Exception {
    return undisturbed(exchange, "none", epochs);
  }

  /** Returns the digest of an undisturbed run with compressed gradients. */
  String undisturbed(String exchange, String codec, int epochs) throws Exception {
    return undisturbed(
        exchange + "-" + codec,
        epochs,
        "--workers",
        "4",
        "--exchange",
        exchange + ":compress=" + codec);
  }

  /** Returns the digest of an undisturbed run with these options, cached by a name. */
  String undisturbed(String name, int epochs, String... options) throws Exception {
    String run = "undisturbed-" + name + "-" + epochs;
    String known = running.undisturbed.get(run);
    if (known == null) {
      String output = ClusterRun.trainHere(folder().resolve(run), epochs, options);
      assertThat(output).contains(ClusterRun.IDENTICAL);
      known = ClusterRun.digest(output);
      running.undisturbed.put(run, known);
    }
    return known;
  }

  /**
   * Returns whether any process exports this metric to Prometheus, each at its own port, as README
   * describes.
   */
  boolean exports(Pattern metric) {
    return exported().anyMatch(metrics -> metric.matcher(metrics).find());
  }

  /** Returns the metrics that each process exports. */
  Stream<String> exported() {
    return IntStream.range(running.prometheusPort, running.prometheusPort + PROMETHEUS_PORTS)
        .mapToObj(port -> cluster().get(port, "/metrics"));
  }

  private static final class Running implements AutoCloseable {

    final Path folder;
    final int prometheusPort;
    final ProcessCluster cluster;
    final Map<String, String> undisturbed = new HashMap<>();
    boolean keepLogs;

    private Running() throws Exception {
      folder = Files.createTempDirectory("braid-cluster");
      prometheusPort = ProcessCluster.freePort();
      cluster =
          new ProcessCluster(
              Files.createDirectories(folder.resolve("cluster")),
              ProcessCluster.QUICK_START,
              // A busy process is not lost; a killed one refuses connections, which shows earlier.
              "heartbeat.timeout: 10 s",
              "taskmanager.load-balance.mode: SLOTS",
              "metrics.reporter.prom.factory.class:"
                  + " org.apache.flink.metrics.prometheus.PrometheusReporterFactory",
              "metrics.reporter.prom.port: "
                  + prometheusPort
                  + "-"
                  + (prometheusPort + PROMETHEUS_PORTS - 1));
    }

    static Running start() {
      try {
        return new Running();
      } catch (Exception e) {
        throw new IllegalStateException("the cluster did not start", e);
      }
    }

    @Override
    public void close() throws IOException {
      cluster.close();
      if (keepLogs) {
        System.out.println("the cluster's logs are in " + folder);
      } else {
        FileUtils.deleteDirectory(folder.toFile());
      }
    }
  }
}
