package dev.braid.job.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.KafkaTopics;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BrokerWaitTest {

  private static final int SECONDS = 60;
  private static final Duration ALWAYS = Duration.ofDays(1);

  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  private final PrintStream err =
      new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8) {
        @Override
        public void println(String line) {
          said.add(line);
        }
      };

  @Test
  void aWaitIsTold_whileItLasts() {
    assertThat(waitFor(Duration.ZERO, ALWAYS, "127.0.0.1:1", this::lineSaid))
        .isEqualTo(
            "braid: waiting for Kafka at 127.0.0.1:1, 8s at most; './braid kafka' starts one");
  }

  @Test
  void itIsForAsLongAsTheUserWants() {
    String brokers = "127.0.0.1:1,127.0.0.1:2";
    KafkaTopic topic = new KafkaTopic(brokers, "chaos", Map.of("default.api.timeout.ms", "30000"));
    Duration patience = KafkaTopics.patience(topic);
    assertThat(
            new BrokerWait(err, Duration.ZERO, ALWAYS).waitFor(brokers, patience, this::lineSaid))
        .startsWith("braid: waiting for Kafka at 127.0.0.1:1,127.0.0.1:2, 30s at most; ");
  }

  @Test
  void oneThatListensIsNotToBeStarted() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String broker = "127.0.0.1:" + socket.getLocalPort();
      assertThat(waitFor(Duration.ZERO, Duration.ZERO, broker, this::lineSaid))
          .isEqualTo(
              "braid: waiting for Kafka at %s, 8s at most: something listens there, and has not answered yet"
                  .formatted(broker));
    }
  }

  @Test
  void anAnswerInTimeIsNotTold() {
    assertThat(waitFor(ALWAYS, ALWAYS, "127.0.0.1:1", () -> List.of("a"))).containsExactly("a");
    assertThat(said).isEmpty();
  }

  @Test
  void whereOneListens_aWaitIsToldLater() throws IOException {
    try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String brokers = "127.0.0.1:1,127.0.0.1:" + broker.getLocalPort();
      String nothing =
          waitFor(
              Duration.ZERO,
              ALWAYS,
              brokers,
              () -> {
                accept(broker);
                return String.valueOf(said.poll());
              });
      assertThat(nothing).isEqualTo("null");
      assertThat(waitFor(Duration.ZERO, Duration.ZERO, brokers, this::lineSaid))
          .startsWith("braid: waiting for Kafka");
    }
  }

  private <T> T waitFor(
      Duration silence,
      Duration silenceWhereOneListens,
      String brokers,
      BrokerWait.Request<T, RuntimeException> request) {
    return new BrokerWait(err, silence, silenceWhereOneListens)
        .waitFor(brokers, Duration.ofSeconds(8), request);
  }

  private static void accept(ServerSocket broker) {
    try {
      broker.accept().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String lineSaid() {
    try {
      return String.valueOf(said.poll(SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
