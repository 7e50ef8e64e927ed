package dev.braid.job.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.stream.KafkaTopic;
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

  private static final int SECONDS = 20;
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
    KafkaTopic topic = new KafkaTopic("127.0.0.1:1", "chaos", Map.of());
    assertThat(new BrokerWait(err, Duration.ZERO, ALWAYS).waitFor(topic, this::lineSaid))
        .isEqualTo(
            "braid: waiting for Kafka at 127.0.0.1:1, 8s at most; './braid kafka' starts one");
  }

  @Test
  void itIsForAsLongAsTheUserWants() {
    KafkaTopic topic =
        new KafkaTopic(
            "127.0.0.1:1,127.0.0.1:2", "chaos", Map.of("default.api.timeout.ms", "30000"));
    assertThat(new BrokerWait(err, Duration.ZERO, ALWAYS).waitFor(topic, this::lineSaid))
        .startsWith("braid: waiting for Kafka at 127.0.0.1:1,127.0.0.1:2, 30s at most; ");
  }

  @Test
  void oneThatListensIsNotToBeStarted() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String broker = "127.0.0.1:" + socket.getLocalPort();
      KafkaTopic topic = new KafkaTopic(broker, "chaos", Map.of());
      assertThat(new BrokerWait(err, Duration.ZERO, Duration.ZERO).waitFor(topic, this::lineSaid))
          .isEqualTo(
              "braid: waiting for Kafka at %s, 8s at most: something listens there, and has not answered yet"
                  .formatted(broker));
    }
  }

  @Test
  void anAnswerInTimeIsNotTold() {
    KafkaTopic topic = new KafkaTopic("127.0.0.1:1", "chaos", Map.of());
    assertThat(new BrokerWait(err, ALWAYS, ALWAYS).waitFor(topic, () -> List.of("a")))
        .containsExactly("a");
    assertThat(said).isEmpty();
  }

  @Test
  void whereOneListens_aWaitIsToldLater() throws IOException {
    try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      KafkaTopic topic =
          new KafkaTopic("127.0.0.1:1,127.0.0.1:" + broker.getLocalPort(), "chaos", Map.of());
      String nothing =
          new BrokerWait(err, Duration.ZERO, ALWAYS)
              .waitFor(
                  topic,
                  () -> {
                    accept(broker);
                    return String.valueOf(said.poll());
                  });
      assertThat(nothing).isEqualTo("null");
      assertThat(new BrokerWait(err, Duration.ZERO, Duration.ZERO).waitFor(topic, this::lineSaid))
          .startsWith("braid: waiting for Kafka");
    }
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
