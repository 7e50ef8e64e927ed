package dev.braid.connectors.registry;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.connectors.topic.TopicFailure;
import dev.braid.connectors.topic.TopicForm;
import dev.braid.connectors.topic.TopicOffsets;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Reads ranges of offsets of a topic that may be deleted and created again in the meantime. */
final class TopicReader implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final CloseOptions CLOSING = CloseOptions.timeout(Duration.ofSeconds(1));

  private final StreamTopic topic;
  private final int partitions;
  private final TopicOffsets offsets;
  private Consumer<byte[], byte[]> consumer;
  private String topicId = "";

  /**
   * The current state of a topic.
   *
   * @param topicId id that Kafka gave the topic when it was created; empty if there is no topic
   * @param ends the offset after the last record of each partition; empty if there is no topic
   */
  record Sight(String topicId, SortedMap<Integer, Long> ends) {}

  private TopicReader(StreamTopic topic, int partitions) {
    this.topic = topic;
    this.partitions = partitions;
    this.offsets = new TopicOffsets(topic);
    this.consumer = consumer();
  }

  /**
   * Creates a reader, which connects when it is first used.
   *
   * @throws InvalidDataException if the properties are invalid for clients
   */
  static TopicReader open(StreamTopic topic, int partitions) throws IOException {
    try {
      return new TopicReader(topic, partitions);
    } catch (KafkaException e) {
      throw TopicFailure.of(topic.toString(), e);
    }
  }

  private Consumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(topic.consumerProperties());
  }

  /**
   * Returns the current state of the topic.
   *
   * @throws InvalidDataException if the topic is not that of a registry, or brokers refuse access
   * @throws IOException if no broker answers
   */
  Sight look() throws IOException {
    Optional<TopicOffsets.Description> found = offsets.find();
    if (found.isEmpty()) {
      return new Sight("", new TreeMap<>());
    }
    TopicForm.REGISTRY.requirePartitions(topic, found.get());
    if (!topicId.equals(found.get().id())) {
      // The old consumer has cached the offsets and leaders of the earlier topic.
      consumer.close(CLOSING);
      consumer = consumer();
      topicId = found.get().id();
    }
    return new Sight(topicId, offsets.ends(partitions));
  }

  /**
   * Reads records in order.
   *
   * @param end offset before which reading stops
   * @param isMoreWanted receives a record, and returns whether to read the next one
   * @throws InvalidDataException if brokers refuse access
   * @throws IOException if they do not answer
   */
  void read(int number, long from, long end, Predicate<ConsumerRecord<byte[], byte[]>> isMoreWanted)
      throws IOException {
    if (from >= end) {
      return;
    }
    TopicPartition partition = new TopicPartition(topic.name(), number);
    try {
      consumer.assign(List.of(partition));
      // Records may have been deleted by hand.
      long start = consumer.beginningOffsets(List.of(partition)).get(partition);
      long position = Math.max(from, start);
      consumer.seek(partition, position);
      long progressNanos = System.nanoTime();
      while (position < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL).records(partition)) {
          if (!isMoreWanted.test(record)) {
            return;
          }
        }
        long now = consumer.position(partition);
        if (now > position) {
          progressNanos = System.nanoTime();
        } else if (System.nanoTime() - progressNanos > PATIENCE.toNanos()) {
          throw new IOException(topic + ": no record arrived for " + PATIENCE.toSeconds() + " s");
        }
        position = now;
      }
    } catch (KafkaException e) {
      throw TopicFailure.of(topic.toString(), e);
    }
  }

  @Override
  public void close() {
    consumer.close(CLOSING);
    offsets.close();
  }
}
