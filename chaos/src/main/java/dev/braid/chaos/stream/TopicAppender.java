package dev.braid.chaos.stream;

import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Appends many records to a topic. The records of a partition are written in the order in which
 * they are added, each once. Adding a record waits only while the producer's buffer is full, which
 * bounds its memory.
 *
 * <p>One thread adds records; {@link #acknowledged} may be called by any thread.
 */
public final class TopicAppender implements AutoCloseable {

  /**
   * Longest time from adding a record to its acknowledgement. The time includes the wait behind a
   * full buffer, and for a broker that is restarted.
   */
  private static final Duration DELIVERY = Duration.ofMinutes(2);

  /** Kafka requires less than {@link #DELIVERY}; a request is repeated within that time. */
  private static final Duration REQUEST = Duration.ofSeconds(10);

  private static final long BUFFER_BYTES = 8 << 20;
  private static final int BATCH_BYTES = 128 << 10;
  private static final Duration LINGER = Duration.ofMillis(5);

  private final KafkaTopic topic;
  private final int partitions;
  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicLong acknowledged = new AtomicLong();

  /** The first failure, after which no record is added. */
  private final AtomicReference<Optional<Exception>> failure =
      new AtomicReference<>(Optional.empty());

  private TopicAppender(KafkaTopic topic, int partitions, KafkaProducer<byte[], byte[]> producer) {
    this.topic = topic;
    this.partitions = partitions;
    this.producer = producer;
  }

  /**
   * Opens a topic. A topic that does not exist yet is created.
   *
   * @param partitionsIfNew number of partitions of a topic that is created, at least 1
   * @throws BrokerAwayException if no broker answers, or it refuses
   */
  public static TopicAppender open(KafkaTopic topic, int partitionsIfNew)
      throws BrokerAwayException {
    int partitions = KafkaTopics.writable(topic, partitionsIfNew);
    try {
      return new TopicAppender(
          topic,
          partitions,
          new KafkaProducer<>(
              properties(topic), new ByteArraySerializer(), new ByteArraySerializer()));
    } catch (KafkaException e) {
      throw new BrokerAwayException(topic, e);
    }
  }

  /** Returns the producer's properties; the user's win. */
  private static Properties properties(KafkaTopic topic) {
    Properties all = topic.clientProperties();
    String deliveryMillis = Long.toString(DELIVERY.toMillis());
    all.putIfAbsent("acks", "all");
    all.putIfAbsent("compression.type", "lz4");
    all.putIfAbsent("buffer.memory", Long.toString(BUFFER_BYTES));
    all.putIfAbsent("batch.size", Integer.toString(BATCH_BYTES));
    all.putIfAbsent("linger.ms", Long.toString(LINGER.toMillis()));
    all.putIfAbsent("request.timeout.ms", Long.toString(REQUEST.toMillis()));
    all.putIfAbsent("max.block.ms", deliveryMillis);
    all.putIfAbsent("delivery.timeout.ms", deliveryMillis);
    return all;
  }

  /** Returns the topic's number of partitions. */
  public int partitions() {
    return partitions;
  }

  /** Returns the number of records that the broker has acknowledged. */
  public long acknowledged() {
    return acknowledged.get();
  }

  /**
   * Adds a record, which is sent within milliseconds.
   *
   * @param partition the record's partition, from 0
   * @throws BrokerAwayException if this or an earlier record cannot be written
   */
  public void add(int partition, byte[] key, byte[] value) throws BrokerAwayException {
    check();
    try {
      var unused =
          producer.send(
              new ProducerRecord<>(topic.name(), partition, key, value), this::acknowledge);
    } catch (KafkaException e) {
      fail(e);
      throw new BrokerAwayException(topic, e);
    }
  }

  /** Counts a record. Called by the producer's thread. */
  private void acknowledge(RecordMetadata metadata, Exception problem) {
    if (problem == null) {
      acknowledged.incrementAndGet();
    } else {
      fail(problem);
    }
  }

  private void fail(Exception problem) {
    failure.compareAndSet(Optional.empty(), Optional.of(problem));
  }

  private void check() throws BrokerAwayException {
    Optional<Exception> problem = failure.get();
    if (problem.isPresent()) {
      throw new BrokerAwayException(topic, problem.get());
    }
  }

  /**
   * Waits until all records are acknowledged.
   *
   * @throws BrokerAwayException if one cannot be written
   */
  public void flush() throws BrokerAwayException {
    try {
      producer.flush();
    } catch (KafkaException e) {
      throw new BrokerAwayException(topic, e);
    }
    check();
  }

  /** Closes the producer. After a failure, records that are not acknowledged are abandoned. */
  @Override
  public void close() {
    producer.close(failure.get().isEmpty() ? KafkaTopics.PATIENCE : Duration.ZERO);
  }
}
