package dev.braid.connectors.stream;

import dev.braid.connectors.topic.StreamTopic;
import dev.braid.worker.report.BraidMetric;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes records that are not valid samples to a separate topic, with the reason and the position
 * of each record as headers. Training continues after such a record, even if it cannot be written.
 * After a failure a record may be written twice. Instances are thread-safe.
 */
final class DeadLetters implements BatchBuilder.Refusals, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
  private static final Duration CLOSING = Duration.ofSeconds(2);

  /**
   * Highest number of records that are logged, so that a topic full of other records does not fill
   * the disk.
   */
  private static final int LOGGED = 10;

  private final StreamTopic topic;
  private final Counter refused;
  private final Counter lost;
  private Optional<KafkaProducer<byte[], byte[]>> producer = Optional.empty();
  private boolean isClosed;

  DeadLetters(StreamTopic topic, MetricGroup metrics) {
    this.topic = topic;
    MetricGroup group = metrics.addGroup(BraidMetric.GROUP);
    this.refused = group.counter(BraidMetric.REFUSED_RECORDS.key());
    this.lost = group.counter(BraidMetric.LOST_DEAD_LETTERS.key());
  }

  @Override
  public synchronized void add(ConsumerRecord<byte[], byte[]> record, String reason) {
    refused.inc();
    if (refused.getCount() <= LOGGED) {
      LOG.warn(
          "{}: the record at offset {} of partition {} is not a valid sample: {}{}",
          topic,
          record.offset(),
          record.partition(),
          reason,
          refused.getCount() == LOGGED ? "; further ones are not logged" : "");
    }
    if (isClosed) {
      return;
    }
    try {
      send(record, reason);
    } catch (KafkaException e) {
      lost(e);
    }
  }

  private void send(ConsumerRecord<byte[], byte[]> record, String reason) {
    if (producer.isEmpty()) {
      producer = Optional.of(new KafkaProducer<>(topic.producerProperties()));
    }
    List<Header> headers =
        List.of(
            header("reason", reason),
            header("topic", topic.name()),
            header("partition", String.valueOf(record.partition())),
            header("offset", String.valueOf(record.offset())));
    ProducerRecord<byte[], byte[]> letter =
        new ProducerRecord<>(
            topic.deadLetters(), null, null, record.key(), record.value(), headers);
    // The callback receives the result.
    var unused = producer.get().send(letter, (metadata, failure) -> sent(failure));
  }

  private void sent(@Nullable Exception failure) {
    if (failure != null) {
      lost(failure);
    }
  }

  private void lost(Exception failure) {
    lost.inc();
    if (lost.getCount() == 1) {
      LOG.warn("Records cannot be written to {}: {}", topic.deadLetters(), failure.getMessage());
    }
  }

  private static Header header(String name, String value) {
    return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    producer.ifPresent(it -> it.close(CLOSING));
  }
}
