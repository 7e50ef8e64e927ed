package dev.braid.job.engine;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpMethod;

/**
 * Shows an embedded Flink's metrics to Prometheus, to this machine alone. Flink's own reporter
 * listens on all addresses of a machine, and cannot be told otherwise.
 */
final class LoopbackMetrics implements MetricReporter {

  static final String PORT = "port";

  static final String PATH = "/metrics";

  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  private final MetricsText metrics = new MetricsText();
  private Optional<HttpServer> server = Optional.empty();

  /** Begins to listen; where that fails, Flink says so in its log and goes on without. */
  @Override
  public void open(MetricConfig config) {
    int port = config.getInteger(PORT, 0);
    try {
      HttpServer opened =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      opened.createContext("/", this::answer);
      opened.start();
      server = Optional.of(opened);
    } catch (IOException e) {
      throw new UncheckedIOException("metrics at port " + port + ": " + e.getMessage(), e);
    }
  }

  /** Where it listens. */
  int port() {
    return server.orElseThrow().getAddress().getPort();
  }

  @Override
  public void close() {
    server.ifPresent(it -> it.stop(0));
  }

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    metrics.add(metric, name, group);
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
    metrics.remove(name, group);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String host = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Host")).orElse("");
      HttpMethod method = HttpMethod.valueOf(exchange.getRequestMethod());
      Optional<String> refusal =
          ReadOnlyWeb.refusal(method, exchange.getRequestURI().toString(), host);
      if (refusal.isPresent()) {
        send(exchange, FORBIDDEN, refusal.get() + "\n");
      } else if (exchange.getRequestURI().getPath().equals(PATH)) {
        send(exchange, OK, metrics.text());
      } else {
        send(exchange, NOT_FOUND, "metrics are at " + PATH + "\n");
      }
    }
  }

  private static void send(HttpExchange exchange, int code, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(code, -1);
      return;
    }
    exchange.sendResponseHeaders(code, bytes.length);
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(bytes);
    }
  }
}
