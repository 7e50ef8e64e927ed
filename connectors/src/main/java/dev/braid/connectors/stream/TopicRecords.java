package dev.braid.connectors.stream;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.OffsetRange;
import dev.braid.worker.report.BraidMetric;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * The records of a topic, range by range. Ranges that follow each other in a partition are read
 * without going back to the broker for what is here. Belongs to one thread.
 */
final class TopicRecords implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration CLOSING = Duration.ofSeconds(1);

  /** Takes a record. */
  @FunctionalInterface
  interface Handler {
    void accept(ConsumerRecord<byte[], byte[]> record);
  }

  private final StreamTopic topic;
  private final boolean skipsLost;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Counter lost;

  /** Partition that the consumer is assigned to. */
  private Optional<TopicPartition> assigned = Optional.empty();

  private Iterator<ConsumerRecord<byte[], byte[]>> polled = Collections.emptyIterator();
  private Optional<ConsumerRecord<byte[], byte[]>> buffered = Optional.empty();

  /** The offset behind the last range. */
  private long position;

  TopicRecords(StreamConfig config, MetricGroup metrics) {
    this.topic = config.topic();
    this.skipsLost = config.skipsLost();
    this.consumer = new KafkaConsumer<>(topic.consumerProperties());
    this.lost = metrics.addGroup(BraidMetric.GROUP).counter(BraidMetric.LOST_OFFSETS.key());
  }

  /**
   * Hands over the records of a range, in the order of their offsets. An offset may have none.
   *
   * @throws InvalidDataException if the topic no longer has them
   */
  void read(OffsetRange range, Handler handler) throws InterruptedException {
    TopicPartition partition = new TopicPartition(topic.name(), range.partition());
    goTo(partition, range.start());
    position = range.end();
    while (true) {
      while (buffered.isPresent() || polled.hasNext()) {
        ConsumerRecord<byte[], byte[]> record = buffered.orElseGet(polled::next);
        if (record.offset() >= range.end()) {
          buffered = Optional.of(record);
          return;
        }
        buffered = Optional.empty();
        if (record.offset() >= range.start()) {
          handler.accept(record);
        }
      }
      // Behind the last record there may be marks of transactions, which are no records.
      if (isBehind(partition, range)) {
        return;
      }
      poll(partition, range);
    }
  }

  private void goTo(TopicPartition partition, long start) {
    if (assigned.filter(partition::equals).isEmpty()) {
      consumer.assign(Set.of(partition));
      assigned = Optional.of(partition);
      position = Long.MAX_VALUE;
    }
    while (start >= position && (buffered.isPresent() || polled.hasNext())) {
      ConsumerRecord<byte[], byte[]> record = buffered.orElseGet(polled::next);
      buffered = Optional.of(record);
      if (record.offset() >= start) {
        return;
      }
      buffered = Optional.empty();
    }
    if (start < position || consumer.position(partition) < start) {
      polled = Collections.emptyIterator();
      buffered = Optional.empty();
      consumer.seek(partition, start);
    }
  }

  private boolean isBehind(TopicPartition partition, OffsetRange range) {
    return consumer.position(partition) >= range.end();
  }

  private void poll(TopicPartition partition, OffsetRange range) throws InterruptedException {
    try {
      polled = consumer.poll(POLL).records(partition).iterator();
    } catch (InterruptException e) {
      // Kafka's own, which has set the thread's flag.
      throw (InterruptedException) new InterruptedException().initCause(e);
    } catch (OffsetOutOfRangeException e) {
      lose(partition, range);
    } catch (AuthorizationException | AuthenticationException e) {
      throw new SuppressRestartsException(
          new InvalidDataException(topic + ": refused: " + e.getMessage(), e));
    }
  }

  /** Offsets are gone: retention has deleted their records before they were read. */
  private void lose(TopicPartition partition, OffsetRange range) {
    Map<TopicPartition, Long> starts = consumer.beginningOffsets(Set.of(partition));
    long start = starts.get(partition);
    if (start <= range.start()) {
      throw new SuppressRestartsException(
          new InvalidDataException(
              "%s: partition %d ends before offset %d, which the lineage has: the topic is another one, or was truncated"
                  .formatted(topic, range.partition(), range.start())));
    }
    if (!skipsLost) {
      throw new SuppressRestartsException(
          new InvalidDataException(
              "%s: offsets %d to %d of partition %d are gone: the topic's retention has deleted them; 'lost-offsets: skip' in the data file leaves them out"
                  .formatted(
                      topic, range.start(), Math.min(start, range.end()) - 1, range.partition())));
    }
    lost.inc(Math.min(start, range.end()) - range.start());
    consumer.seek(partition, Math.min(start, range.end()));
  }

  @Override
  public void close() {
    // An interrupt would keep the consumer from telling the broker that it goes.
    boolean wasInterrupted = Thread.interrupted();
    consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(CLOSING));
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
