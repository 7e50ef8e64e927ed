package dev.braid.connectors.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.record.InvalidRecordException;
import dev.braid.connectors.record.SampleDecoder;
import dev.braid.connectors.record.SampleForm;
import dev.braid.connectors.topic.StreamBound;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.learner.Batch;
import dev.braid.learner.OffsetRange;
import dev.braid.learner.Shape;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BatchFetcherTest {

  private static final String TOPIC = "topic";
  private static final int BATCH = 5;

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
  private final CountDownLatch decoding = new CountDownLatch(1);

  /**
   * Samples of one number, the first byte of the value. Decoding waits until the test allows it.
   */
  private final class Bytes implements SampleForm {

    private static final long serialVersionUID = 1L;

    @Override
    public Shape shape() {
      return Shape.rows(1, 2);
    }

    @Override
    public boolean isWeighted() {
      return false;
    }

    @Override
    public double holdout() {
      return 0;
    }

    @Override
    public String fingerprint() {
      return "bytes";
    }

    @Override
    public SampleDecoder decoder() {
      return (key, value, features, offset, targets, targetOffset, weights, weightOffset) -> {
        try {
          decoding.await();
        } catch (InterruptedException e) {
          throw new InvalidRecordException("interrupted");
        }
        features[offset] = value[0];
        return SampleDecoder.Outcome.TRAIN;
      };
    }
  }

  private StreamConfig config() {
    return new StreamConfig(
        new StreamTopic(TOPIC, Map.of()),
        new Bytes(),
        new StreamConfig.Section(new StreamBound.Earliest(), null, false),
        new StreamConfig.Batches(BATCH, 0, Duration.ofMillis(200)),
        new StreamConfig.Windows(100, StreamConfig.ENDLESS),
        "lineage",
        1,
        "");
  }

  private BatchFetcher fetcher() {
    StreamConfig config = config();
    return new BatchFetcher(
        config,
        new UnregisteredMetricsGroup(),
        () ->
            new TopicRecords(
                config.topic(),
                config.section().skipsLost(),
                new UnregisteredMetricsGroup(),
                consumer));
  }

  private void add(long from, long to) {
    for (long offset = from; offset < to; offset++) {
      consumer.addRecord(
          new ConsumerRecord<>(TOPIC, 0, offset, new byte[0], new byte[] {(byte) offset}));
    }
  }

  private static Deal deal(long round, int rounds) {
    long start = round * BATCH;
    return new Deal(
        round,
        rounds,
        BATCH,
        List.of(List.of(new OffsetRange(0, start, start + (long) rounds * BATCH))));
  }

  private static Batch next(BatchFetcher fetcher) throws Exception {
    Optional<Batch> batch = fetcher.peek();
    while (batch.isEmpty()) {
      fetcher.available().get(60, TimeUnit.SECONDS);
      batch = fetcher.peek();
    }
    fetcher.take();
    return batch.get();
  }

  @Test
  @Timeout(180)
  void batchesComeInTheirOrder_andAFailureBehindThem() throws Exception {
    consumer.schedulePollTask(() -> add(0, 3 * BATCH));
    consumer.schedulePollTask(() -> consumer.setPollException(new KafkaException("gone")));
    try (BatchFetcher fetcher = fetcher()) {
      fetcher.add(deal(0, 4), 0);
      fetcher.start();
      assertThat(fetcher.peek()).isEmpty();
      decoding.countDown();
      for (int round = 0; round < 3; round++) {
        assertThat(next(fetcher).features().toArray()[0]).isEqualTo(round * BATCH);
      }
      assertThatThrownBy(() -> next(fetcher)).isInstanceOf(KafkaException.class);
    }
    assertThat(consumer.closed()).isTrue();
  }

  @Test
  @Timeout(180)
  void closingEndsAThreadThatDecodes() throws Exception {
    consumer.schedulePollTask(() -> add(0, BATCH));
    BatchFetcher fetcher = fetcher();
    fetcher.add(deal(0, 1), 0);
    fetcher.start();
    while (!consumer.assignment().contains(new TopicPartition(TOPIC, 0))) {
      Thread.onSpinWait();
    }
    fetcher.close();
    assertThat(consumer.closed()).isTrue();
    assertThat(decoding.getCount()).isEqualTo(1);
  }
}
