package dev.braid.job.options;

import dev.braid.chaos.stream.BrokerAwayException;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.KafkaTopics;
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
 * Waits for a broker, and says so where it takes a while: whoever has forgotten to start one can do
 * so meanwhile, as one that has just been started takes some seconds.
 */
public final class BrokerWait {

  private static final Duration SILENCE = Duration.ofSeconds(1);

  /** On a machine that is busy with training, a client takes seconds to begin. */
  private static final Duration SILENCE_WHERE_ONE_LISTENS = Duration.ofSeconds(4);

  private static final int CONNECT_MILLIS = 500;

  private final PrintStream err;
  private final Duration silence;
  private final Duration silenceWhereOneListens;

  /**
   * A way to wait.
   *
   * @param silence for so long nothing is said
   * @param silenceWhereOneListens and for so long where something listens at a broker's address
   */
  BrokerWait(PrintStream err, Duration silence, Duration silenceWhereOneListens) {
    this.err = err;
    this.silence = silence;
    this.silenceWhereOneListens = silenceWhereOneListens;
  }

  /** What a broker is asked for. */
  @FunctionalInterface
  public interface Request<T> {

    /**
     * Asks for it, and waits for the answer.
     *
     * @throws BrokerAwayException if there is none
     */
    T answer() throws BrokerAwayException;
  }

  /**
   * Asks the broker of a topic.
   *
   * @throws UsageException if no broker answers, or it refuses
   */
  public static <T> T answer(KafkaTopic topic, Request<T> request) {
    return new BrokerWait(System.err, SILENCE, SILENCE_WHERE_ONE_LISTENS).waitFor(topic, request);
  }

  <T> T waitFor(KafkaTopic topic, Request<T> request) {
    CountDownLatch answered = new CountDownLatch(1);
    Thread notice = new Thread(() -> sayUnless(answered, topic), "braid-broker-wait");
    notice.setDaemon(true);
    notice.start();
    try {
      return request.answer();
    } catch (BrokerAwayException e) {
      throw new UsageException(e.getMessage(), e);
    } finally {
      answered.countDown();
    }
  }

  private void sayUnless(CountDownLatch answered, KafkaTopic topic) {
    try {
      if (answered.await(silence.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
      boolean isListening = isListening(topic);
      long more = isListening ? silenceWhereOneListens.minus(silence).toMillis() : 0;
      if (!answered.await(more, TimeUnit.MILLISECONDS)) {
        err.println(
            "braid: waiting for Kafka at %s, %s at most%s"
                .formatted(
                    topic.brokers(),
                    Typed.time(KafkaTopics.patience(topic)),
                    isListening
                        ? ": something listens there, and has not answered yet"
                        : "; './braid kafka' starts one"));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isListening(KafkaTopic topic) {
    return Stream.of(topic.brokers().split(",", -1)).anyMatch(BrokerWait::isListening);
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
