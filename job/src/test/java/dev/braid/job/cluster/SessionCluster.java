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
 * One {@link ProcessCluster} for all tests of this JVM, as its processes take longer to start than
 * most jobs to end. Before each test it has as many TaskManagers of two slots as the test wants,
 * three if it does not say, whatever the last test did to them; a job that a test leaves behind
 * ends with the test. Slots are taken from the TaskManager that has most of them free. Register it
 * in a static field:
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

  /** With three TaskManagers before each test. */
  SessionCluster() {
    this(TASK_MANAGERS);
  }

  /** With so many: of each that is not needed, the start would be for nothing. */
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

  /** For someone to see what went wrong. */
  void keepLogs() {
    running.keepLogs = true;
  }

  /** Where this cluster's runs leave their results and checkpoints. */
  Path folder() {
    return running.folder;
  }

  /** Begins a run of {@code braid train} through Flink's client. */
  ClusterRun train(String name, int epochs, String... options) throws IOException {
    return ClusterRun.train(cluster(), folder().resolve(name), epochs, options);
  }

  /** The digest of four workers' run that nothing disturbs, in this JVM. */
  String undisturbed(String exchange, int epochs) throws Exception {
    return undisturbed(exchange, "none", epochs);
  }

  /** The same of one whose gradients are compressed. */
  String undisturbed(String exchange, String codec, int epochs) throws Exception {
    return undisturbed(
        exchange + "-" + codec,
        epochs,
        "--workers",
        "4",
        "--exchange",
        exchange + ":compress=" + codec);
  }

  /** The same of one with these options, known by a name. */
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

  /** Whether any process exports this to Prometheus, each at a port of its own, as README says. */
  boolean exports(Pattern metric) {
    return exported().anyMatch(metrics -> metric.matcher(metrics).find());
  }

  /** What each process exports. */
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
