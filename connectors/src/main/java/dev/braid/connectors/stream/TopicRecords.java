package dev.braid.connectors.stream;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.learner.OffsetRange;
import dev.braid.worker.report.BraidMetric;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * The records of a topic, range by range. An instance belongs to one thread.
 *
 * <p>Partitions that were read are kept ready: while one is read, the broker sends the next records
 * of the others. Consecutive ranges of a partition are read without another seek.
 */
final class TopicRecords implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration CLOSING = Duration.ofSeconds(1);

  /** Highest number of partitions that are kept ready. The consumer buffers a megabyte of each. */
  private static final int MOST_READY = 32;

  /**
   * Bytes that are polled ahead of the current position in the partition that is read: as many as a
   * broker sends at once.
   */
  private static final int AHEAD_BYTES = 1 << 20;

  /** Number of records after which the consumer sends and receives while other records are left. */
  private static final int POLLED_EVERY = 250;

  /** Receives a record. */
  @FunctionalInterface
  interface Handler {
    void accept(ConsumerRecord<byte[], byte[]> record);
  }

  /** A partition that is assigned to the consumer. */
  private static final class Ready {

    /** Records that were polled and not used. */
    private final Deque<ConsumerRecord<byte[], byte[]>> polled = new ArrayDeque<>();

    private long bytes;

    /** The offset after the last range. */
    private long position;

    private boolean isPaused;

    /** Whether records may be missing after those that are currently used. */
    private boolean isLost;

    void add(ConsumerRecord<byte[], byte[]> record) {
      polled.addLast(record);
      bytes += record.serializedValueSize();
    }

    void removeFirst() {
      bytes -= polled.removeFirst().serializedValueSize();
    }

    boolean isBefore(long offset) {
      return !polled.isEmpty() && polled.getFirst().offset() < offset;
    }

    void clear() {
      polled.clear();
      bytes = 0;
    }
  }

  private final StreamTopic topic;
  private final boolean skipsLost;
  private final Consumer<byte[], byte[]> consumer;
  private final Counter lost;

  /** The partitions that are kept ready, the most recently read one at the end. */
  private final Map<TopicPartition, Ready> ready = new LinkedHashMap<>();

  private int sincePoll;

  TopicRecords(StreamConfig config, MetricGroup metrics) {
    this(
        config.topic(),
        config.section().skipsLost(),
        metrics,
        new KafkaConsumer<>(config.topic().consumerProperties()));
  }

  /**
   * Creates a reader.
   *
   * @param skipsLost whether records that the topic no longer has are skipped
   * @param consumer a consumer without partitions; it is closed with the reader
   */
  TopicRecords(
      StreamTopic topic,
      boolean skipsLost,
      MetricGroup metrics,
      Consumer<byte[], byte[]> consumer) {
    this.topic = topic;
    this.skipsLost = skipsLost;
    this.consumer = consumer;
    this.lost = metrics.addGroup(BraidMetric.GROUP).counter(BraidMetric.LOST_OFFSETS.key());
  }

  /** Returns the records of ranges, as {@link #read(OffsetRange, Handler)} passes them on. */
  List<ConsumerRecord<byte[], byte[]>> read(List<OffsetRange> ranges) throws InterruptedException {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (OffsetRange range : ranges) {
      read(range, records::add);
    }
    return records;
  }

  /**
   * Passes on the records of a range, in the order of their offsets. An offset may have no record.
   *
   * @throws InvalidDataException if the topic no longer has the records
   */
  void read(OffsetRange range, Handler handler) throws InterruptedException {
    TopicPartition partition = new TopicPartition(topic.name(), range.partition());
    Ready records = goTo(partition, range.start());
    records.position = range.end();
    while (true) {
      while (records.isBefore(range.end())) {
        handler.accept(records.polled.getFirst());
        records.removeFirst();
        if (++sincePoll == POLLED_EVERY) {
          poll(partition, range, Duration.ZERO);
        }
      }
      // After the last record there may be transaction markers, which are not records.
      if (!records.polled.isEmpty() || consumer.position(partition) >= range.end()) {
        return;
      }
      poll(partition, range, POLL);
    }
  }

  private Ready goTo(TopicPartition partition, long start) {
    Ready known = ready.remove(partition);
    Ready records = known == null ? new Ready() : known;
    ready.put(partition, records);
    if (known == null) {
      if (ready.size() > MOST_READY) {
        ready.remove(ready.keySet().iterator().next());
      }
      consumer.assign(ready.keySet());
    }
    boolean isBack = known == null || records.isLost || start < records.position;
    if (isBack) {
      records.clear();
      records.isLost = false;
    }
    while (records.isBefore(start)) {
      records.removeFirst();
    }
    if (records.polled.isEmpty() && (isBack || consumer.position(partition) < start)) {
      consumer.seek(partition, start);
    }
    return records;
  }

  private void poll(TopicPartition partition, OffsetRange range, Duration wait)
      throws InterruptedException {
    pauseFull(partition);
    sincePoll = 0;
    try {
      ConsumerRecords<byte[], byte[]> polled = consumer.poll(wait);
      for (TopicPartition it : polled.partitions()) {
        polled.records(it).forEach(ready.get(it)::add);
      }
    } catch (InterruptException e) {
      // Kafka's own exception, which has set the thread's interrupt flag.
      throw (InterruptedException) new InterruptedException().initCause(e);
    } catch (OffsetOutOfRangeException e) {
      e.offsetOutOfRangePartitions()
          .forEach(
              (it, offset) -> {
                if (it.equals(partition) && offset < range.end()) {
                  lose(partition, range, offset);
                } else {
                  // These offsets are not needed yet; the read that needs them looks for them
                  // again.
                  ready.get(it).isLost = true;
                  consumer.seek(it, start(it));
                }
              });
    } catch (AuthorizationException | AuthenticationException e) {
      throw new SuppressRestartsException(
          new InvalidDataException(topic + ": refused: " + e.getMessage(), e));
    }
  }

  /** Pauses partitions that have enough records, until they are read. */
  private void pauseFull(TopicPartition partition) {
    ready.forEach(
        (it, records) -> {
          boolean isFull = records.bytes >= (it.equals(partition) ? AHEAD_BYTES : 1);
          if (isFull != records.isPaused) {
            records.isPaused = isFull;
            if (isFull) {
              consumer.pause(Set.of(it));
            } else {
              consumer.resume(Set.of(it));
            }
          }
        });
  }

  /** Handles lost offsets, whose records were deleted by retention before they were read. */
  private void lose(TopicPartition partition, OffsetRange range, long offset) {
    long start = start(partition);
    if (start <= offset) {
      throw new SuppressRestartsException(
          new InvalidDataException(
              "%s: partition %d ends before offset %d, which the lineage has: the topic is another one, or was truncated"
                  .formatted(topic, range.partition(), offset)));
    }
    if (!skipsLost) {
      throw new SuppressRestartsException(
          new InvalidDataException(
              "%s: offsets %d to %d of partition %d are gone: the topic's retention has deleted them; 'lost-offsets: skip' in the data file leaves them out"
                  .formatted(topic, offset, Math.min(start, range.end()) - 1, range.partition())));
    }
    lost.inc(Math.min(start, range.end()) - offset);
    consumer.seek(partition, Math.min(start, range.end()));
  }

  /** Returns the first offset that a partition has. */
  private long start(TopicPartition partition) {
    return consumer.beginningOffsets(Set.of(partition)).get(partition);
  }

  @Override
  public void close() {
    // An interrupt would prevent the consumer from telling the broker that it leaves.
    boolean wasInterrupted = Thread.interrupted();
    consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(CLOSING));
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
