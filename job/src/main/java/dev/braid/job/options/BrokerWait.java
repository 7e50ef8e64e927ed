package dev.braid.job.options;

import dev.braid.chaos.stream.BrokerAwayException;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.KafkaTopics;
import dev.braid.job.console.Typed;
import dev.braid.job.console.UsageException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits for a broker, and says so where it takes a while: whoever has forgotten to start one can do
 * so meanwhile, as one that has just been started takes some seconds.
 */
public final class BrokerWait {

  private static final Duration SILENCE = Duration.ofSeconds(1);

  private final PrintStream err;
  private final Duration silence;

  /**
   * A way to wait.
   *
   * @param silence for so long nothing is said
   */
  BrokerWait(PrintStream err, Duration silence) {
    this.err = err;
    this.silence = silence;
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
    return new BrokerWait(System.err, SILENCE).waitFor(topic, request);
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
      if (!answered.await(silence.toMillis(), TimeUnit.MILLISECONDS)) {
        err.println(
            "braid: waiting for Kafka at %s, %s at most; './braid kafka' starts one"
                .formatted(topic.brokers(), Typed.time(KafkaTopics.patience(topic))));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
