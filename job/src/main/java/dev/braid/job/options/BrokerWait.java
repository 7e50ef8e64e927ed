package dev.braid.job.options;

import dev.braid.chaos.stream.BrokerAwayException;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.KafkaTopics;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.connectors.topic.TopicOffsets;
import dev.braid.job.console.Typed;
import dev.braid.job.console.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Wait for a broker, which is reported to the user if it takes long. The user can then start a
 * missing broker; one that has just been started takes a few seconds to answer.
 */
public final class BrokerWait {

  private static final Duration SILENCE = Duration.ofSeconds(1);

  /**
   * Delay of the report if something listens at the broker's address: on a machine that is busy
   * with training, a client takes seconds to connect.
   */
  private static final Duration SILENCE_WHERE_ONE_LISTENS = Duration.ofSeconds(4);

  private static final int CONNECT_MILLIS = 500;

  private final PrintStream err;
  private final Duration silence;
  private final Duration silenceWhereOneListens;

  /**
   * Creates a wait.
   *
   * @param silence delay of the report
   * @param silenceWhereOneListens delay of the report if something listens at a broker's address
   */
  BrokerWait(PrintStream err, Duration silence, Duration silenceWhereOneListens) {
    this.err = err;
    this.silence = silence;
    this.silenceWhereOneListens = silenceWhereOneListens;
  }

  /**
   * Request to a broker.
   *
   * @param <E> thrown if there is no answer
   */
  @FunctionalInterface
  public interface Request<T, E extends Exception> {

    /** Sends the request and waits for the answer. */
    T answer() throws E;
  }

  /**
   * Sends a request to the broker of a topic.
   *
   * @throws UsageException if no broker answers, or it refuses
   */
  public static <T> T answer(KafkaTopic topic, Request<T, BrokerAwayException> request) {
    try {
      return standard().waitFor(topic.brokers(), KafkaTopics.patience(topic), request);
    } catch (BrokerAwayException e) {
      throw new UsageException(e.getMessage(), e);
    }
  }

  /**
   * Sends a request to the broker of a topic of records.
   *
   * @throws E if the request does
   */
  public static <T, E extends Exception> T answer(StreamTopic topic, Request<T, E> request)
      throws E {
    return standard().waitFor(topic.brokers(), TopicOffsets.PATIENCE, request);
  }

  private static BrokerWait standard() {
    return new BrokerWait(System.err, SILENCE, SILENCE_WHERE_ONE_LISTENS);
  }

  /**
   * Sends a request, and reports the wait if it takes long.
   *
   * @param brokers addresses, separated by commas
   * @param patience longest wait of the request, for the report
   */
  <T, E extends Exception> T waitFor(String brokers, Duration patience, Request<T, E> request)
      throws E {
    CountDownLatch answered = new CountDownLatch(1);
    Thread notice = new Thread(() -> sayUnless(answered, brokers, patience), "braid-broker-wait");
    notice.setDaemon(true);
    notice.start();
    try {
      return request.answer();
    } finally {
      answered.countDown();
    }
  }

  private void sayUnless(CountDownLatch answered, String brokers, Duration patience) {
    try {
      if (answered.await(silence.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
      boolean isListening = Stream.of(brokers.split(",", -1)).anyMatch(BrokerWait::isListening);
      long more = isListening ? silenceWhereOneListens.minus(silence).toMillis() : 0;
      if (!answered.await(more, TimeUnit.MILLISECONDS)) {
        err.println(
            "braid: waiting for Kafka at %s, %s at most%s"
                .formatted(
                    brokers,
                    Typed.time(patience),
                    isListening
                        ? ": something listens there, and has not answered yet"
                        : "; './braid kafka' starts one"));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isListening(String broker) {
    int colon = broker.lastIndexOf(':');
    String host = broker.substring(0, colon);
    int port = Integer.parseInt(broker.substring(colon + 1));
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
      return true;
    } catch (IOException | IllegalArgumentException e) {
      return false;
    }
  }
}
