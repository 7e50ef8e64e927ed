package dev.braid.job.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.BrokerExtension;
import dev.braid.job.CommandRun;
import dev.braid.job.console.ExitCodes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Samples in topics of a real broker. */
class FeedITCase {

  @RegisterExtension static final BrokerExtension BROKER = new BrokerExtension();

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static String brokers() {
    return BROKER.process().address();
  }

  private static void feed(String line, long records, String topic) {
    CommandRun run =
        CommandRun.ofLine(
            "feed --topic %s --kafka-brokers %s %s".formatted(topic, brokers(), line));
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    String count = String.format("%,d", records);
    assertThat(run.out())
        .startsWith(count + " records in topic " + topic + " at " + brokers() + ", ")
        .hasLineCount(1);
  }

  private static Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("bootstrap.servers", brokers());
    return properties;
  }

  /** Returns all records of a topic, by partition and in the order of their offsets. */
  private static Map<Integer, List<ConsumerRecord<String, String>>> read(String topic) {
    Map<Integer, List<ConsumerRecord<String, String>>> records = new TreeMap<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(properties(), new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      partitions.forEach(partition -> records.put(partition.partition(), new ArrayList<>()));
      long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
      while (partitions.stream().anyMatch(it -> consumer.position(it) < ends.get(it))) {
        assertThat(System.nanoTime()).isLessThan(deadlineNanos);
        consumer.poll(POLL).forEach(record -> records.get(record.partition()).add(record));
      }
    }
    return records;
  }

  private static List<String> values(String topic, int partition) {
    return read(topic).get(partition).stream().map(ConsumerRecord::value).toList();
  }

  @Test
  void recordsOfAStreamAreInOrderInTheirPartitions_andTheSameForTheSameSeed() {
    feed("--stream sea --records 1000 --seed 3", 1_000, "feed-sea");
    Map<Integer, List<ConsumerRecord<String, String>>> records = read("feed-sea");
    assertThat(records).containsOnlyKeys(0, 1, 2, 3);
    SyntheticStream stream = SyntheticStream.of("sea", 3);
    for (int id = 0; id < 1_000; id++) {
      ConsumerRecord<String, String> record = records.get(id % 4).get(id / 4);
      assertThat(record.key()).isEqualTo(Integer.toString(id));
      assertThat(record.value())
          .isEqualTo(
              new String(
                  RecordFormat.JSON.write(stream.next(), stream.fields()), StandardCharsets.UTF_8));
    }
    assertThat(records.values()).allMatch(partition -> partition.size() == 250);

    feed("--stream sea --records 1000 --seed 3 --partitions 2", 1_000, "feed-again");
    Map<Integer, List<ConsumerRecord<String, String>>> again = read("feed-again");
    assertThat(again).containsOnlyKeys(0, 1);
    assertThat(IntStream.range(0, 1_000).mapToObj(id -> again.get(id % 2).get(id / 2).value()))
        .isEqualTo(
            IntStream.range(0, 1_000)
                .mapToObj(id -> records.get(id % 4).get(id / 4).value())
                .toList());
  }

  @Test
  void aDataSetGoesToATopicThatIsThere_withItsPartitions() throws Exception {
    try (Admin admin = Admin.create(properties())) {
      admin.createTopics(List.of(new NewTopic("feed-iris", 1, (short) 1))).all().get();
    }
    feed("--data ../docs/example/iris.csv --format csv --rate 500", 135, "feed-iris");
    assertThat(values("feed-iris", 0)).hasSize(135).first().asString().contains("setosa");
  }

  @Test
  void aRecordThatTheTopicDoesNotTakeEndsTheFeed(@TempDir Path folder) throws Exception {
    Path config = Files.writeString(folder.resolve("small.properties"), "max.request.size=100\n");
    CommandRun run =
        CommandRun.ofLine(
            "feed --topic feed-small --stream linear:features=50 --kafka-brokers %s --kafka-config %s"
                .formatted(brokers(), config));
    assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("braid: Kafka at " + brokers() + ", topic feed-small: ")
        .endsWith("; 0 records written\n")
        .hasLineCount(1);
  }
}
