package dev.braid.job.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.braid.job.options.TrainOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.WebOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests to the web server of an embedded Flink, as a web page or another user of the machine may
 * send them.
 */
class EmbeddedWebITCase {

  private static final String JOB = "0123456789abcdef0123456789abcdef";

  private static final String JAR =
      String.join(
          "\r\n",
          "--x",
          "Content-Disposition: form-data; name=\"jarfile\"; filename=\"a.jar\"",
          "Content-Type: application/x-java-archive",
          "",
          "PK",
          "--x--",
          "");

  @TempDir private static Path folder;
  private static EmbeddedFlink flink;

  @BeforeAll
  static void start() throws Exception {
    TrainOptions options = FlinkSettingsTest.options(1, folder.toString());
    Configuration settings = FlinkSettings.embedded(options);
    settings.set(WebOptions.TMP_DIR, folder.toString());
    flink = EmbeddedFlink.start(settings, options.ranks(), job -> {});
    // Flink answers 503 until its web server has found the leading dispatcher.
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> ask("GET", "/config", "localhost:PORT").startsWith("HTTP/1.1 200 "));
  }

  @AfterAll
  static void stop() {
    flink.close();
  }

  /** Returns the answer to a request, head and body. Any request other than GET sends a jar. */
  private static String ask(String method, String path, String host, String... headers)
      throws IOException {
    String body = method.equals("GET") ? "" : JAR;
    String port = Integer.toString(flink.webAddress().getPort());
    List<String> head = new ArrayList<>();
    head.add(method + " " + path + " HTTP/1.1");
    head.add("Host: " + host.replace("PORT", port));
    head.add("Connection: close");
    head.addAll(List.of(headers));
    if (!body.isEmpty()) {
      head.add("Content-Type: multipart/form-data; boundary=x");
      head.add("Content-Length: " + body.length());
    }
    String request = String.join("\r\n", head) + "\r\n\r\n" + body;
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), flink.webAddress().getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /jars/upload",
    "POST, /v1/jars/upload",
    "POST, /jobs",
    "POST, /v1/jobs",
    "PATCH, /jobs/" + JOB,
    "GET, /jobs/" + JOB + "/yarn-cancel",
    "GET, /v1/jobs/" + JOB + "/%79arn-stop",
    "POST, /jobs/" + JOB + "/stop",
    "POST, /jobs/" + JOB + "/savepoints",
    "PUT, /jobs/" + JOB + "/resource-requirements",
    "POST, /savepoint-disposal",
    "DELETE, /cluster",
    "OPTIONS, /jobs",
  })
  void takesNoCommands(String method, String path) throws IOException {
    String answer = ask(method, path, "localhost:PORT");
    assertThat(answer).startsWith("HTTP/1.1 403 ").endsWith("takes no commands\n");
    try (Stream<Path> files = Files.walk(folder)) {
      assertThat(files.filter(Files::isRegularFile).map(Path::getFileName).map(Path::toString))
          .doesNotContain("a.jar");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:PORT", "127.0.0.1:PORT", "[::1]:PORT", "LocalHost"})
  void showsWhatThereIs(String host) throws IOException {
    for (String path : List.of("/", "/config", "/jobs/overview", "/v1/overview")) {
      assertThat(ask("GET", path, host)).startsWith("HTTP/1.1 200 ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "attacker.example:PORT",
        "attacker.example",
        "localhost.attacker.example",
        "10.0.0.1",
        "",
        "localhost:80@attacker.example",
        "127.0.0.1.attacker.example:PORT"
      })
  void answersToItsOwnNamesOnly(String host) throws IOException {
    assertThat(ask("GET", "/jobs/overview", host)).startsWith("HTTP/1.1 403 ");
  }

  /** Otherwise any page could read the web UI. */
  @Test
  void noOtherOriginMayRead() throws IOException {
    String answer =
        ask("GET", "/jobs/overview", "localhost:PORT", "Origin: https://attacker.example");
    assertThat(answer)
        .startsWith("HTTP/1.1 200 ")
        .doesNotContainIgnoringCase("access-control-allow-origin: *")
        .doesNotContain("attacker.example");
    assertThat(answer.lines().filter(line -> line.startsWith("access-control-allow-origin:")))
        .allMatch(line -> line.strip().endsWith(":"));
  }

  @Test
  void theWebUiOffersNoCommands() throws IOException {
    assertThat(ask("GET", "/config", "localhost:PORT"))
        .contains("\"web-submit\":false", "\"web-cancel\":false", "\"web-rescale\":false");
  }
}
