package dev.braid.chaos.stream;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends lines to a topic from a thread of its own, in order, and tries each until it is there: the
 * producer waits for a broker that is away, and a task must not. Lines queue meanwhile; beyond a
 * bound, new ones are dropped and counted.
 */
final class TopicPublisher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TopicPublisher.class);

  private static final int QUEUED_LINES = 20_000;
  private static final int LINES_AT_ONCE = 500;
  private static final long TRY_MILLIS = 5_000;
  private static final long PAUSE_MILLIS = 500;
  private static final long FAREWELL_MILLIS = 3_000;

  private final KafkaTopic topic;
  private final BlockingQueue<String> queue = new LinkedBlockingQueue<>(QUEUED_LINES);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private long dropped;

  TopicPublisher(KafkaTopic topic) {
    this.topic = topic;
    this.thread = new Thread(this::run, "braid-publish-" + topic.name());
    thread.setDaemon(true);
    thread.setContextClassLoader(TopicPublisher.class.getClassLoader());
    thread.start();
  }

  /** Takes a line, and never waits. */
  void publish(String line) {
    if (!queue.offer(line) && dropped++ == 0) {
      LOG.warn("{}: {} lines wait for the broker; more are dropped", topic, QUEUED_LINES);
    }
  }

  private void run() {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties(), new ByteArraySerializer(), new ByteArraySerializer())) {
      while (!isDone()) {
        String line = queue.poll(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        if (line != null) {
          sendWithWhatWaits(producer, line);
        }
      }
      producer.close(Duration.ofMillis(PAUSE_MILLIS));
    } catch (InterruptedException e) {
      LOG.warn("{}: {} lines were not sent", topic, queue.size() + 1);
    } catch (KafkaException e) {
      LOG.warn("{}: lines cannot be sent", topic, e);
    }
  }

  private boolean isDone() {
    return closing.getCount() == 0 && queue.isEmpty();
  }

  /** Waits for the broker once for many lines: one after the other they take a round trip each. */
  private void sendWithWhatWaits(KafkaProducer<byte[], byte[]> producer, String first)
      throws InterruptedException {
    List<String> lines = new ArrayList<>();
    lines.add(first);
    queue.drainTo(lines, LINES_AT_ONCE - 1);
    List<Future<?>> sent = new ArrayList<>();
    for (String line : lines) {
      sent.add(send(producer, line));
    }
    for (int i = 0; i < lines.size(); i++) {
      while (!hasArrived(sent.get(i))) {
        sent.set(i, send(producer, lines.get(i)));
      }
    }
  }

  private Future<?> send(KafkaProducer<byte[], byte[]> producer, String line)
      throws InterruptedException {
    try {
      return producer.send(
          new ProducerRecord<>(topic.name(), line.getBytes(StandardCharsets.UTF_8)));
    } catch (InterruptException e) {
      throw new InterruptedException();
    } catch (KafkaException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** If it has not, it may be tried again when this returns. */
  private boolean hasArrived(Future<?> sent) throws InterruptedException {
    try {
      sent.get();
      return true;
    } catch (ExecutionException e) {
      LOG.info("{}: a line could not be sent, and is tried again", topic, e);
      if (closing.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
      return false;
    }
  }

  private Properties properties() {
    Properties all = topic.clientProperties();
    all.putIfAbsent("max.block.ms", Long.toString(TRY_MILLIS));
    all.putIfAbsent("delivery.timeout.ms", Long.toString(TRY_MILLIS));
    all.putIfAbsent("request.timeout.ms", Long.toString(TRY_MILLIS / 2));
    all.putIfAbsent("linger.ms", "0");
    return all;
  }

  /** Sends what waits, but does not wait long for a broker that is away. */
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join(FAREWELL_MILLIS);
      thread.interrupt();
      thread.join(FAREWELL_MILLIS);
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
