package dev.braid.connectors.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.topic.StreamTopic;
import dev.braid.learner.OffsetRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TopicRecordsTest {

  private static final String TOPIC = "topic";

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
  private final Counter lost = new SimpleCounter();
  private final List<String> read = new ArrayList<>();

  private TopicRecords records(boolean skipsLost) {
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
    return new TopicRecords(new StreamTopic(TOPIC, Map.of()), skipsLost, metrics, consumer);
  }

  private static TopicPartition partition(int number) {
    return new TopicPartition(TOPIC, number);
  }

  /** Makes the next poll find records of an assigned partition. */
  private void arrive(int partition, long from, long to) {
    consumer.schedulePollTask(
        () -> {
          for (long offset = from; offset < to; offset++) {
            consumer.addRecord(
                new ConsumerRecord<>(TOPIC, partition, offset, new byte[0], new byte[0]));
          }
        });
  }

  private List<String> read(TopicRecords records, int partition, long from, long to)
      throws InterruptedException {
    read.clear();
    records.read(
        new OffsetRange(partition, from, to),
        record -> read.add(record.partition() + ":" + record.offset()));
    return read;
  }

  @Test
  void rangesOfPartitionsTakeTurns_andWhatWasFetchedIsKept() throws Exception {
    TopicRecords records = records(false);
    arrive(0, 0, 10);
    assertThat(read(records, 0, 0, 2)).containsExactly("0:0", "0:1");
    arrive(1, 5, 9);
    assertThat(read(records, 1, 5, 7)).containsExactly("1:5", "1:6");
    // The mock has no more records: these were fetched before.
    assertThat(read(records, 0, 2, 4)).containsExactly("0:2", "0:3");
    assertThat(read(records, 1, 7, 9)).containsExactly("1:7", "1:8");
    assertThat(read(records, 0, 6, 8)).as("a gap").containsExactly("0:6", "0:7");
    arrive(1, 20, 22);
    assertThat(read(records, 1, 20, 22)).as("a gap").containsExactly("1:20", "1:21");
    arrive(0, 1, 3);
    assertThat(read(records, 0, 1, 3)).as("back").containsExactly("0:1", "0:2");
  }

  @Test
  void manyPartitionsAreReadToo() throws Exception {
    TopicRecords records = records(false);
    for (int turn = 0; turn < 3; turn++) {
      for (int partition = 0; partition < 100; partition++) {
        arrive(partition, turn, turn + 1);
        assertThat(read(records, partition, turn, turn + 1))
            .containsExactly(partition + ":" + turn);
      }
    }
    assertThat(consumer.assignment()).hasSizeBetween(2, 99);
  }

  @Test
  void offsetsThatAreGoneEndTheRun() {
    consumer.updateBeginningOffsets(Map.of(partition(0), 5L));
    arrive(0, 5, 10);
    TopicRecords records = records(false);
    assertThatThrownBy(() -> read(records, 0, 2, 8))
        .isInstanceOf(SuppressRestartsException.class)
        .cause()
        .hasMessageContaining("offsets 2 to 4 of partition 0");
  }

  @Test
  void offsetsThatAreGoneAreSkippedIfTheSettingsSaySo() throws Exception {
    consumer.updateBeginningOffsets(Map.of(partition(0), 5L));
    arrive(0, 5, 10);
    TopicRecords records = records(true);
    assertThat(read(records, 0, 2, 4)).isEmpty();
    assertThat(lost.getCount()).isEqualTo(2);
    assertThat(read(records, 0, 4, 7)).containsExactly("0:5", "0:6");
    assertThat(lost.getCount()).isEqualTo(3);
  }

  @Test
  void offsetsThatAreGoneMatterWhenTheyAreRead() throws Exception {
    TopicRecords records = records(false);
    consumer.updateBeginningOffsets(Map.of(partition(1), 0L));
    arrive(1, 0, 2);
    assertThat(read(records, 1, 0, 2)).hasSize(2);
    consumer.updateBeginningOffsets(Map.of(partition(1), 9L));
    arrive(1, 9, 12);
    arrive(0, 0, 2);
    assertThat(read(records, 0, 0, 2)).containsExactly("0:0", "0:1");
    arrive(1, 9, 12);
    assertThat(read(records, 1, 10, 11)).as("still there").containsExactly("1:10");
    assertThatThrownBy(() -> read(records, 1, 2, 4))
        .isInstanceOf(SuppressRestartsException.class)
        .cause()
        .hasMessageContaining("offsets 2 to 3 of partition 1");
  }
}
