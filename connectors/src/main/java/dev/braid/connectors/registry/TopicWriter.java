package dev.braid.connectors.registry;

import dev.braid.connectors.topic.StreamTopic;
import dev.braid.connectors.topic.TopicFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Sends records to a topic, and waits until all in-sync replicas have them. */
final class TopicWriter implements AutoCloseable {

  private static final Duration CLOSING = Duration.ofSeconds(1);
  private static final String WRITING_MILLIS = "30000";
  private static final String REQUEST_MILLIS = "10000";

  private final StreamTopic topic;
  private final Producer<byte[], byte[]> producer;
  private final List<Future<RecordMetadata>> sent = new ArrayList<>();

  /** Creates a writer that owns the producer, and closes it. */
  TopicWriter(StreamTopic topic, Producer<byte[], byte[]> producer) {
    this.topic = topic;
    this.producer = producer;
  }

  /** Returns the properties of a producer whose records are written in order and once. */
  static Properties properties(StreamTopic topic) {
    Properties all = topic.producerProperties();
    all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    all.put(ProducerConfig.ACKS_CONFIG, "all");
    all.put(ProducerConfig.LINGER_MS_CONFIG, "0");
    all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, WRITING_MILLIS);
    all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, WRITING_MILLIS);
    all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
    return all;
  }

  /** Sends a record. */
  void send(int partition, String key, byte[] value) {
    send(new ProducerRecord<>(topic.name(), partition, utf8(key), value));
  }

  /** Sends a record with a header. */
  void send(int partition, String key, byte[] value, String header, byte[] headerValue) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic.name(), partition, utf8(key), value);
    record.headers().add(header, headerValue);
    send(record);
  }

  /** Sends a record without a value, which removes the key from the topic. */
  void remove(int partition, String key) {
    send(new ProducerRecord<>(topic.name(), partition, utf8(key), null));
  }

  private void send(ProducerRecord<byte[], byte[]> record) {
    sent.add(producer.send(record));
  }

  /**
   * Waits for all records that were sent since the last call.
   *
   * @return offset of the first record; empty if there is none
   * @throws IOException if a record is not acknowledged; it may have been written or not
   */
  OptionalLong await() throws IOException {
    OptionalLong first = OptionalLong.empty();
    try {
      for (Future<RecordMetadata> record : sent) {
        long offset = record.get().offset();
        first = first.isPresent() ? first : OptionalLong.of(offset);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(topic + ": interrupted", e);
    } catch (ExecutionException e) {
      throw TopicFailure.of(topic.toString(), e.getCause());
    }
    sent.clear();
    return first;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    producer.close(CLOSING);
  }
}
