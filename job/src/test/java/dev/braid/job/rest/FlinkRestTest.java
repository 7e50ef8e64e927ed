package dev.braid.job.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.braid.job.engine.NetworkMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlinkRestTest {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final String OVERVIEW =
      "{\"taskmanagers\":2,\"taskmanagers-blocked\":0,\"slots-total\":4,\"slots-available\":3,"
          + "\"jobs-running\":1,\"jobs-finished\":0,\"flink-version\":\"2.2.1\"}";

  private final Map<String, byte[]> answers = new HashMap<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] answer = answers.get(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(answer == null ? 404 : 200, 0);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(answer == null ? new byte[0] : answer);
          }
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private FlinkRest rest() {
    return FlinkRest.at("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  private void answer(String path, String json) {
    answers.put(path, json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void readsAnOverview() throws Exception {
    answer("/overview", OVERVIEW);
    assertThat(ClusterOverview.of(rest())).isEqualTo(new ClusterOverview(2, 4, 3, 1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html>no Flink</html>",
        "[]",
        "{}",
        "{\"taskmanagers\":2,\"slots-total\":4,\"slots-available\":3}",
        "{\"taskmanagers\":2,\"slots-total\":4,\"slots-available\":3,\"jobs-running\":\"1\"}",
        "{\"taskmanagers\":2,\"slots-total\":4,\"slots-available\":3,\"jobs-running\":-1}",
        "{\"taskmanagers\":2,\"slots-total\":4,\"slots-available\":3,\"jobs-running\":1e99}",
        "{\"taskmanagers\":2,\"slots-total\":4,\"slots-available\":3,\"jobs-running\":9999999999}",
        "{\"taskmanagers\":2,\"taskmanagers\":2,\"slots-total\":4,\"slots-available\":3,"
            + "\"jobs-running\":1}",
        "{\"taskmanagers\":2,\"slots-total\":4,\"slots-available\":3,\"jobs-running\":1} {}"
      })
  void whatIsNoOverviewIsRefused(String answer) {
    answer("/overview", answer);
    assertThatThrownBy(() -> ClusterOverview.of(rest())).isInstanceOf(IOException.class);
  }

  @Test
  void anAnswerThatIsTooLongIsRefused() {
    answers.put("/overview", " ".repeat(FlinkRest.MOST_BYTES + 1).getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> ClusterOverview.of(rest()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more than");
  }

  @Test
  void anErrorIsRefused() {
    assertThatThrownBy(() -> ClusterOverview.of(rest()))
        .isInstanceOf(IOException.class)
        .hasMessage("HTTP status 404");
  }

  @Test
  void readsWhatTheCheckHasToKnow() throws Exception {
    answerFacts();
    ClusterFacts facts = ClusterFacts.of(rest());
    assertThat(facts.flinkVersion()).isEqualTo("2.2.1");
    assertThat(facts.settings().get(TaskManagerOptions.MEMORY_SEGMENT_SIZE))
        .isEqualTo(MemorySize.parse("64kb"));
    assertThat(facts.classPath()).containsExactly("/lib/flink-dist-2.2.1.jar");
    assertThat(facts.taskManagers())
        .containsExactly(new ClusterFacts.TaskManager(2, MemorySize.ofMebiBytes(128)));
  }

  private void answerFacts() {
    answer("/config", "{\"refresh-interval\":3000,\"flink-version\":\"2.2.1\"}");
    answer(
        "/jobmanager/config", "[{\"key\":\"taskmanager.memory.segment-size\",\"value\":\"64kb\"}]");
    answer(
        "/jobmanager/environment",
        "{\"jvm\":{\"version\":\"17\"},\"classpath\":[\"/lib/flink-dist-2.2.1.jar\"]}");
    answer(
        "/taskmanagers",
        "{\"taskmanagers\":[{\"id\":\"a\",\"slotsNumber\":2,\"freeSlots\":1,"
            + "\"memoryConfiguration\":{\"networkMemory\":134217728}}]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/config {\"flink-version\":2}",
        "/jobmanager/config {}",
        "/jobmanager/config [{\"key\":\"a\"}]",
        "/jobmanager/environment {\"classpath\":[1]}",
        "/taskmanagers []",
        "/taskmanagers {\"taskmanagers\":[{\"slotsNumber\":2}]}"
      })
  void whatHasNotWhatItNeedsIsRefused(String pathAndAnswer) {
    answerFacts();
    String[] parts = pathAndAnswer.split(" ", 2);
    answer(parts[0], parts[1]);
    assertThatThrownBy(() -> ClusterFacts.of(rest())).isInstanceOf(IOException.class);
  }

  @Test
  void aSubmissionIsWarned() throws Exception {
    answerFacts();
    assertThat(warnings(server.getAddress().getPort(), PATIENCE))
        .anyMatch(line -> line.startsWith("taskmanager.memory.segment-size is 64kb"))
        .anyMatch(line -> line.startsWith("the JobManager's class path has no "));
  }

  @Test
  void aSubmissionIsNotHeldUpByAnAnswerThatIsNone() throws Exception {
    assertThat(warnings(server.getAddress().getPort(), PATIENCE)).isEmpty();
  }

  /** A server that accepts a connection and never answers would delay it for ever. */
  @Test
  void aSubmissionIsNotHeldUpByOneWhoDoesNotAnswer() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(warnings(silent.getLocalPort(), Duration.ofMillis(100))).isEmpty();
    }
  }

  @Test
  void aSubmissionToNoClusterIsNotWarned() throws Exception {
    Configuration none = new Configuration();
    assertThat(SubmissionCheck.begin(none).warnings(none, new NetworkMemory(4, false), PATIENCE))
        .isEmpty();
  }

  /** No warning is needed, because the start of the cluster reports this error. */
  @Test
  void aSettingThatIsNoneIsPassedOver() throws Exception {
    answerFacts();
    answer("/jobmanager/config", "[{\"key\":\"heartbeat.interval\",\"value\":\"soon\"}]");
    assertThat(warnings(server.getAddress().getPort(), PATIENCE)).isEmpty();
  }

  private static List<String> warnings(int port, Duration patience)
      throws InterruptedException, RestException {
    Configuration client = new Configuration();
    client.set(DeploymentOptions.TARGET, "remote");
    client.set(RestOptions.ADDRESS, "127.0.0.1");
    client.set(RestOptions.PORT, port);
    return SubmissionCheck.begin(client).warnings(client, new NetworkMemory(4, false), patience);
  }
}
