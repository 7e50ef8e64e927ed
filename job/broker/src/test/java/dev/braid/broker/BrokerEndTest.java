package dev.braid.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a broker's process that is terminated, with a temporary folder for its data. */
class BrokerEndTest {

  private static final long PATIENCE_SECONDS = 60;

  @TempDir private Path root;

  private Process start(String... options) throws IOException {
    Stream<String> command =
        Stream.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Djava.io.tmpdir=" + Files.createDirectories(root.resolve("tmp")),
            "-cp",
            System.getProperty("java.class.path"),
            Broker.class.getName(),
            "--port",
            "0");
    return new ProcessBuilder(Stream.concat(command, Stream.of(options)).toList())
        .redirectErrorStream(true)
        .redirectOutput(out())
        .start();
  }

  private File out() {
    return root.resolve("out").toFile();
  }

  private List<Path> folders() throws IOException {
    try (Stream<Path> found = Files.list(root.resolve("tmp"))) {
      return found.filter(it -> it.getFileName().toString().startsWith("braid-kafka-")).toList();
    }
  }

  private boolean has(String file) throws IOException {
    List<Path> folders = folders();
    return !folders.isEmpty() && Files.exists(folders.get(0).resolve(file));
  }

  /** During its start, the broker must not create files again that have just been deleted. */
  @ParameterizedTest
  @ValueSource(
      strings = {".lock", "broker.log", "data/meta.properties", "data/__cluster_metadata-0"})
  void leavesNoTemporaryFolderAndSaysNothing_wheneverItIsToldToEnd(String file) throws Exception {
    Process broker = start();
    try {
      await(file)
          .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
          .pollInterval(Duration.ofMillis(2))
          .failFast(
              () -> assertThat(broker.isAlive()).as(Files.readString(out().toPath())).isTrue())
          .until(() -> has(file));
      broker.destroy();
      assertThat(broker.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(folders()).isEmpty();
      // The broker may have printed its address before it was terminated.
      assertThat(Files.readAllLines(out().toPath(), UTF_8))
          .allSatisfy(line -> assertThat(line).startsWith("Kafka at "));
    } finally {
      broker.destroyForcibly();
    }
  }

  @Test
  void aMistakeIsOneLineAndEndsItAtOnce() throws Exception {
    Path secured = Files.createDirectories(root.resolve("secured/clients"));
    Process broker = start("--dir", secured.getParent().toString());
    try {
      assertThat(broker.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(broker.exitValue()).isEqualTo(2);
      assertThat(out())
          .hasContent(
              "braid: --dir "
                  + secured.getParent()
                  + ": the folder of a secured broker, which everybody could write to without"
                  + " --secure: give --secure, or another folder\n");
    } finally {
      broker.destroyForcibly();
    }
  }

  @Test
  void aStartThatFailsEndsTheProcess() throws Exception {
    Path folder = root.resolve("secured");
    // A file of this name is written after the server has started.
    Files.createDirectories(folder.resolve("clients/guest.properties"));
    Process broker = start("--secure", "--dir", folder.toString());
    try {
      assertThat(broker.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(broker.exitValue()).isEqualTo(1);
      assertThat(out()).content().startsWith("braid: ").contains("guest.properties");
    } finally {
      broker.destroyForcibly();
    }
  }
}
