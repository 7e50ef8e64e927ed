package dev.braid.job.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.MetricName;
import dev.braid.worker.report.BraidMetric;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.CharacterFilter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.HistogramStatistics;
import org.apache.flink.metrics.LogicalScopeProvider;
import org.apache.flink.metrics.Meter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Metrics that Prometheus reads at the loopback address. */
class LoopbackMetricsTest {

  /** A group of metrics like those of Flink's registry. */
  private static final class Group extends UnregisteredMetricsGroup
      implements LogicalScopeProvider {
    private final String scope;
    private final Map<String, String> variables;

    Group(String scope, Map<String, String> variables) {
      this.scope = scope;
      this.variables = variables;
    }

    @Override
    public Map<String, String> getAllVariables() {
      return variables;
    }

    @Override
    public String getLogicalScope(CharacterFilter filter) {
      return getLogicalScope(filter, '.');
    }

    @Override
    public String getLogicalScope(CharacterFilter filter, char delimiter) {
      return scope.replace(' ', delimiter);
    }

    @Override
    public MetricGroup getWrappedMetricGroup() {
      return this;
    }
  }

  private static final Group GROUP =
      new Group("taskmanager a job", Map.of("<host>", "localhost", "<job_name>", "Braid: \"mlp\""));

  private static final String LABELS = "{host=\"localhost\",job_name=\"Braid:__mlp_\"} ";

  private final LoopbackMetrics reporter = new LoopbackMetrics();
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeEach
  void open() {
    reporter.open(new MetricConfig());
  }

  @AfterEach
  void close() {
    reporter.close();
  }

  @Test
  void valuesAreThoseOfTheMoment() throws Exception {
    SimpleCounter counter = new SimpleCounter();
    add("samples", counter);
    add("loss", (Gauge<Double>) () -> Double.NaN);
    add("top", (Gauge<Double>) () -> Double.POSITIVE_INFINITY);
    add("is in", (Gauge<Boolean>) () -> true);
    add("name", (Gauge<String>) () -> "no number");
    add("ended", (Gauge<Long>) () -> Long.valueOf(Group.class.getSimpleName()));
    add("rate", new ThreeASecond());
    add("latency", new Latency());
    counter.inc(12);
    String text = get("/metrics").body();
    assertThat(text)
        .contains(
            "# HELP flink_taskmanager_a_job_samples samples (scope: taskmanager_a_job)\n"
                + "# TYPE flink_taskmanager_a_job_samples counter\n"
                + "flink_taskmanager_a_job_samples"
                + LABELS
                + "12.0\n")
        .contains("# TYPE flink_taskmanager_a_job_loss gauge\n")
        .contains("\nflink_taskmanager_a_job_loss" + LABELS + "NaN\n")
        .contains("\nflink_taskmanager_a_job_top" + LABELS + "+Inf\n")
        .contains("\nflink_taskmanager_a_job_is_in" + LABELS + "1.0\n")
        .contains("\nflink_taskmanager_a_job_rate" + LABELS + "3.0\n")
        .contains("# TYPE flink_taskmanager_a_job_latency summary\n")
        .contains("\nflink_taskmanager_a_job_latency_count" + LABELS + "5.0\n")
        .contains(
            "\nflink_taskmanager_a_job_latency{host=\"localhost\",job_name=\"Braid:__mlp_\",quantile=\"0.5\"} 0.5\n")
        .doesNotContain("name{", "ended");
    reporter.notifyOfRemovedMetric(counter, "samples", GROUP);
    assertThat(get("/metrics").body()).doesNotContain("samples").contains("loss");
  }

  @Test
  void metricsOfBraidHaveHelpAndTypes() throws Exception {
    Group braid = new Group("taskmanager_braid", GROUP.variables);
    for (MetricName metric : BraidMetric.all().toList()) {
      reporter.notifyOfAddedMetric((Gauge<Long>) () -> 7L, metric.key(), braid);
      add(metric.key(), (Gauge<Long>) () -> 7L);
    }
    String text = get("/metrics").body();
    for (MetricName metric : BraidMetric.all().toList()) {
      String name = "flink_taskmanager_braid_" + metric.key();
      String type = metric.isCounter() ? "counter" : "gauge";
      assertThat(text)
          .contains("# HELP " + name + " " + metric.help() + "\n# TYPE " + name + " " + type + "\n")
          .contains("\n" + name + LABELS + "7.0\n")
          .contains("# HELP flink_taskmanager_a_job_" + metric.key() + " " + metric.key() + " (sc");
    }
  }

  @Test
  void otherPathsHostsAndCommandsAreRefused() throws Exception {
    assertThat(get("/").statusCode()).isEqualTo(404);
    HttpRequest post =
        HttpRequest.newBuilder(uri("/metrics")).POST(BodyPublishers.noBody()).build();
    assertThat(http.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
    HttpRequest head =
        HttpRequest.newBuilder(uri("/metrics")).method("HEAD", BodyPublishers.noBody()).build();
    assertThat(http.send(head, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
  }

  @Test
  void requestsToAnotherSitesNameAreRefused() throws Exception {
    assertThat(raw("GET /metrics HTTP/1.1\r\nHost: example.org\r\n\r\n")).contains(" 403 ");
    assertThat(raw("GET /metrics HTTP/1.0\r\n\r\n")).contains(" 403 ");
  }

  @Test
  @Timeout(30)
  void clientsThatNeverFinishKeepNobodyFromBeingAnswered() throws Exception {
    List<Socket> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 2 * MetricsConnections.MOST; i++) {
        Socket client = connect();
        clients.add(client);
        send(client, i % 2 == 0 ? "GET /met" : "GET /metrics HTTP/1.1\r\nHost: localh");
      }
      assertThat(get("/metrics").statusCode()).isEqualTo(200);
      // The oldest connection was closed; the newest can still finish its request.
      assertThat(clients.get(0).getInputStream().read()).isEqualTo(-1);
      Socket last = clients.get(clients.size() - 1);
      send(last, "ost\r\n\r\n");
      assertThat(answer(last)).contains(" 200 ");
      reporter.close();
      assertThat(clients.get(clients.size() - 2).getInputStream().read()).isEqualTo(-1);
    } finally {
      for (Socket client : clients) {
        client.close();
      }
    }
  }

  /** Else it would be kept, whole, by the process that trains. */
  @Test
  @Timeout(30)
  void veryLongRequestsAreRefused() throws Exception {
    assertThat(raw("GET /metrics?" + "a".repeat(1 << 20))).doesNotContain(" 200 ");
    assertThat(raw("GET /metrics HTTP/1.1\r\nHost: localhost\r\nA: " + "a".repeat(1 << 20)))
        .doesNotContain(" 200 ");
    assertThat(raw("GET /metrics?" + "a".repeat(5000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .doesNotContain(" 200 ");
    assertThat(raw("GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n")).contains(" 403 ");
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), reporter.port());
  }

  private static void send(Socket client, String text) throws IOException {
    client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String answer(Socket client) throws IOException {
    return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Returns the answer; empty if the server closed the connection before it read everything. */
  private String raw(String request) throws IOException {
    try (Socket client = connect()) {
      send(client, request);
      return answer(client);
    } catch (SocketException e) {
      return "";
    }
  }

  @Test
  void aPortThatIsTakenIsAnError() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      MetricConfig config = new MetricConfig();
      config.setProperty(LoopbackMetrics.PORT, "" + taken.getLocalPort());
      LoopbackMetrics second = new LoopbackMetrics();
      assertThatThrownBy(() -> second.open(config))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("" + taken.getLocalPort());
      second.close();
    }
  }

  private void add(String name, Metric metric) {
    reporter.notifyOfAddedMetric(metric, name, GROUP);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + reporter.port() + path);
  }

  private static final class ThreeASecond implements Meter {
    @Override
    public void markEvent() {}

    @Override
    public void markEvent(long count) {}

    @Override
    public double getRate() {
      return 3;
    }

    @Override
    public long getCount() {
      return 9;
    }
  }

  /** A histogram whose quantiles equal their own shares. */
  private static final class Latency implements Histogram {
    @Override
    public void update(long value) {}

    @Override
    public long getCount() {
      return 5;
    }

    @Override
    public HistogramStatistics getStatistics() {
      return new HistogramStatistics() {
        @Override
        public double getQuantile(double quantile) {
          return quantile;
        }

        @Override
        public long[] getValues() {
          return new long[0];
        }

        @Override
        public int size() {
          return 0;
        }

        @Override
        public double getMean() {
          return 0;
        }

        @Override
        public double getStdDev() {
          return 0;
        }

        @Override
        public long getMax() {
          return 0;
        }

        @Override
        public long getMin() {
          return 0;
        }
      };
    }
  }
}
