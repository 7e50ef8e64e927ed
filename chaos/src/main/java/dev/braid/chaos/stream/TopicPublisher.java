package dev.braid.chaos.stream;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends lines to a topic, in order, and retries each until it is delivered. */
final class TopicPublisher implements LineQueue.Target {

  private static final Logger LOG = LoggerFactory.getLogger(TopicPublisher.class);

  private static final long TRY_MILLIS = 5_000;
  private static final long PAUSE_MILLIS = 500;

  private final KafkaTopic topic;
  private Optional<KafkaProducer<byte[], byte[]>> opened = Optional.empty();

  TopicPublisher(KafkaTopic topic) {
    this.topic = topic;
  }

  @Override
  public void open() throws InterruptedException {
    producer();
  }

  /** Sends many lines in one round trip. */
  @Override
  public void deliver(List<String> lines) throws InterruptedException {
    KafkaProducer<byte[], byte[]> producer = producer();
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

  private KafkaProducer<byte[], byte[]> producer() throws InterruptedException {
    while (opened.isEmpty()) {
      try {
        opened =
            Optional.of(
                new KafkaProducer<>(
                    properties(), new ByteArraySerializer(), new ByteArraySerializer()));
      } catch (KafkaException e) {
        LOG.warn("{}: lines cannot be sent", topic, e);
        TimeUnit.MILLISECONDS.sleep(TRY_MILLIS);
      }
    }
    return opened.get();
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

  /** Returns whether a line has arrived; if not, it may be sent again when this method returns. */
  private boolean hasArrived(Future<?> sent) throws InterruptedException {
    try {
      sent.get();
      return true;
    } catch (ExecutionException e) {
      LOG.info("{}: a line could not be sent; trying again", topic, e);
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
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

  @Override
  public void end() {
    opened.ifPresent(producer -> producer.close(Duration.ofMillis(PAUSE_MILLIS)));
  }
}
