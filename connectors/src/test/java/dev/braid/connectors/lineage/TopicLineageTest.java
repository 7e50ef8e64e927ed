package dev.braid.connectors.lineage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.LineageEntry.Began;
import dev.braid.connectors.lineage.LineageEntry.Digested;
import dev.braid.connectors.topic.StreamTopic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicLineageTest {

  private static final StreamTopic TOPIC = new StreamTopic("lineage", Map.of());
  private static final TopicPartition PARTITION = new TopicPartition("lineage", 0);
  private static final Began BEGAN =
      new Began("job", "t", "id", new TreeMap<>(), new TreeMap<>(), 1000, 1, "");

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());

  /** Records that are in the topic before the producer writes. */
  private final List<ConsumerRecord<byte[], byte[]>> before = new ArrayList<>();

  private long firstOffset;

  private static LineageEntry digest(long rounds) {
    return new Digested(rounds, "ab");
  }

  private void put(String key, String value) {
    before.add(
        new ConsumerRecord<>(
            "lineage",
            0,
            firstOffset + before.size(),
            key.getBytes(StandardCharsets.UTF_8),
            value.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns a consumer of the earlier records and of those that are committed. */
  private Consumer<byte[], byte[]> consumer() {
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>(before);
    producer
        .history()
        .forEach(
            sent ->
                all.add(
                    new ConsumerRecord<>(
                        "lineage", 0, firstOffset + all.size(), sent.key(), sent.value())));
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
    consumer.assign(List.of(PARTITION));
    consumer.updateBeginningOffsets(Map.of(PARTITION, firstOffset));
    consumer.updateEndOffsets(Map.of(PARTITION, firstOffset + all.size()));
    all.forEach(consumer::addRecord);
    return consumer;
  }

  private TopicLineage open() throws IOException {
    TopicLineage lineage = new TopicLineage(TOPIC, this::consumer, () -> producer);
    lineage.findSize();
    return lineage;
  }

  @Test
  void entriesComeBackInTheirOrder() throws Exception {
    TopicLineage lineage = open();
    assertThat(lineage.began()).isEmpty();
    lineage.claim();
    lineage.append(List.of(BEGAN));
    lineage.append(List.of(digest(1), digest(2)));
    assertThat(producer.commitCount()).isEqualTo(2);

    TopicLineage again = open();
    assertThat(again.size()).isEqualTo(3);
    assertThat(again.began()).contains(BEGAN);
    assertThat(again.entries(1)).containsExactly(digest(1), digest(2));
    assertThat(again.entries(3)).isEmpty();
  }

  @Test
  void theEndOfALongTopicIsReadWithoutTheRest() throws Exception {
    for (int i = 0; i < 3_000; i++) {
      put(String.valueOf(i), i < 2_000 ? "not read" : digest(i).toJson());
    }
    TopicLineage lineage = open();
    assertThat(lineage.size()).isEqualTo(3_000);
    assertThat(lineage.entries(2_999)).containsExactly(digest(2_999));
  }

  @Test
  void entriesThatRetentionHasDeletedAreMissed() throws Exception {
    firstOffset = 7;
    put("7", digest(7).toJson());
    TopicLineage lineage = open();
    assertThat(lineage.size()).isEqualTo(8);
    assertThat(lineage.entries(7)).containsExactly(digest(7));
    assertThatThrownBy(() -> lineage.entries(6)).isInstanceOf(InvalidDataException.class);
    assertThatThrownBy(lineage::began).isInstanceOf(InvalidDataException.class);
  }

  @ParameterizedTest
  @CsvSource({"'', x", "-1, x", "one, x", "12345678901234567890, x"})
  void aRecordThatIsNoEntryIsRefused(String key, String value) {
    put(key, value);
    assertThatThrownBy(this::open)
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining("offset 0");
  }

  @Test
  void aGapIsFound() {
    put("0", BEGAN.toJson());
    put("2", digest(2).toJson());
    assertThatThrownBy(this::open)
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining("offset 1");
  }

  /** The failure must be permanent, because a restart would stop the other writer. */
  @Test
  void aWriterThatWasReplacedFailsForGood() throws Exception {
    TopicLineage lineage = open();
    lineage.claim();
    producer.fenceProducer();
    assertThatThrownBy(() -> lineage.append(List.of(BEGAN)))
        .isInstanceOf(InvalidDataException.class);
    assertThat(open().size()).isZero();
  }

  @Test
  void afterAnAppendThatFailedTheLineageIsOpenedAgain() throws Exception {
    TopicLineage lineage = open();
    lineage.claim();
    producer.commitTransactionException = new TimeoutException("no answer");
    assertThatThrownBy(() -> lineage.append(List.of(BEGAN))).isInstanceOf(IOException.class);
    producer.commitTransactionException = null;
    assertThatThrownBy(() -> lineage.append(List.of(BEGAN))).isInstanceOf(IOException.class);
  }

  @Test
  void aRefusalIsAMistakeOfTheUser() throws Exception {
    producer.initTransactionException = new TopicAuthorizationException("not allowed");
    TopicLineage lineage = open();
    assertThatThrownBy(lineage::claim)
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining("not allowed");
  }
}
