package dev.braid.connectors.stream;

import dev.braid.connectors.topic.StreamTopic;
import dev.braid.learner.OffsetRange;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/** Real {@link TopicRecords} of a simulated topic that deletes records. */
public final class SimulatedRecords {

  private static final String TOPIC = "t";

  /** Number of records that a broker sends at once for a partition. */
  private static final int POLLED = 16;

  /**
   * Outcome of reading a batch.
   *
   * @param offsets offsets whose records it has got, in the order of the batch's ranges
   * @param lost number of offsets that were skipped because their records were deleted
   * @param failure error that ends the run; empty if there is none
   */
  public record Read(List<Long> offsets, long lost, Optional<String> failure) {}

  private final Counter lost = new SimpleCounter();
  private final TopicRecords records;

  /**
   * Creates the reader of one worker.
   *
   * @param firsts the first offset that each partition has, which may grow
   * @param ends the offset after the last one of each partition, which may grow
   * @param skipsLost whether deleted records are skipped; otherwise they end the run
   */
  public SimulatedRecords(Map<Integer, Long> firsts, Map<Integer, Long> ends, boolean skipsLost) {
    MetricGroup metrics =
        new UnregisteredMetricsGroup() {
          @Override
          public MetricGroup addGroup(String name) {
            return this;
          }

          @Override
          public Counter counter(String name) {
            return lost;
          }
        };
    records =
        new TopicRecords(
            new StreamTopic(TOPIC, Map.of()), skipsLost, metrics, new Broker(firsts, ends));
  }

  /** Reads the records of a batch. */
  public Read read(List<OffsetRange> batch) {
    long before = lost.getCount();
    try {
      List<Long> offsets = records.read(batch).stream().map(ConsumerRecord::offset).toList();
      return new Read(offsets, lost.getCount() - before, Optional.empty());
    } catch (SuppressRestartsException e) {
      return new Read(List.of(), 0, Optional.of(e.getCause().getMessage()));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A consumer that finds the records that the topic has at that moment. */
  private static final class Broker extends MockConsumer<byte[], byte[]> {

    private final Map<Integer, Long> firsts;
    private final Map<Integer, Long> ends;

    Broker(Map<Integer, Long> firsts, Map<Integer, Long> ends) {
      super("none");
      this.firsts = firsts;
      this.ends = ends;
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      List<TopicPartition> fetched =
          assignment().stream().filter(it -> !paused().contains(it)).toList();
      // Before any record is added, because the next poll would return it from another position.
      for (TopicPartition it : fetched) {
        if (position(it) < firsts.get(it.partition())) {
          throw new OffsetOutOfRangeException(Map.of(it, position(it)));
        }
      }
      for (TopicPartition it : fetched) {
        long end = Math.min(ends.get(it.partition()), position(it) + POLLED);
        for (long offset = position(it); offset < end; offset++) {
          addRecord(new ConsumerRecord<>(TOPIC, it.partition(), offset, new byte[0], new byte[0]));
        }
      }
      return super.poll(timeout);
    }

    @Override
    public synchronized Map<TopicPartition, Long> beginningOffsets(
        Collection<TopicPartition> partitions) {
      return partitions.stream()
          .collect(
              Collectors.toMap(
                  Function.identity(), partition -> firsts.get(partition.partition())));
    }
  }
}
