package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.KafkaTopics;
import dev.braid.job.console.ExitCodes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Chaos topics changed by other programs: transactions, new partitions, topics that do not exist.
 */
class ChaosTopicITCase extends ChaosTraining {

  @Test
  void anEventOfATransactionTakesEffectOnceThatIsCommitted() throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run = run(name, Optional.of(source(topic)), new Configuration());
    try (KafkaProducer<String, String> producer = transactional(topic)) {
      producer.beginTransaction();
      put(producer, topic, 0, straggle("aborted", 1));
      producer.abortTransaction();
      sendUntil(Outcome.APPLIED, run, topic, straggle("after", 1));
      producer.beginTransaction();
      put(producer, topic, 0, straggle("open", 2));
      GatedModel.gate(name).letPass(20);
      await(() -> GatedModel.gate(name).least() == 20);
      producer.commitTransaction();
      await(() -> run.happenings(Outcome.APPLIED).size() == 2);
    }
    assertThat(run.ids(Outcome.APPLIED)).containsExactlyInAnyOrder("after", "open");
    assertThat(run.happenings(Outcome.APPLIED).get(1).round()).isGreaterThanOrEqualTo(18);
    GatedModel.gate(name).letPass(ALL);
    run.digests();
  }

  /** The last offsets of such a topic belong to markers, and to records that are not read. */
  @Test
  void aTopicIsReadToItsEndThoughTransactionsWereAbortedOrAreOpen() throws Exception {
    KafkaTopic topic = topic();
    Map<Integer, Long> empty = KafkaTopics.offsets(topic, false);
    assertThat(KafkaTopics.read(topic)).isEmpty();
    try (KafkaProducer<String, String> producer = transactional(topic)) {
      producer.beginTransaction();
      put(producer, topic, 0, "aborted");
      producer.abortTransaction();
      assertThat(KafkaTopics.read(topic)).isEmpty();
      producer.beginTransaction();
      put(producer, topic, 0, "committed");
      producer.commitTransaction();
      // The broker makes the record readable only a moment after it has confirmed the commit.
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(KafkaTopics.read(topic)).containsExactly("committed"));
      Map<Integer, Long> committed = KafkaTopics.offsets(topic, false);
      producer.beginTransaction();
      put(producer, topic, 0, "open");
      assertThat(KafkaTopics.read(topic)).containsExactly("committed");
      assertThat(KafkaTopics.offsets(topic, false))
          .as("a training that begins now gets the event once it is committed")
          .isEqualTo(committed)
          .isNotEqualTo(empty);
      producer.abortTransaction();
    }
    KafkaTopic uncommitted = with(topic, "isolation.level", "read_uncommitted");
    assertThat(KafkaTopics.read(uncommitted)).containsExactly("aborted", "committed", "open");
  }

  @Test
  void aPartitionThatIsAddedIsReadFromItsBeginning() throws Exception {
    KafkaTopic topic = with(topic(), "partition.discovery.interval.ms", "50");
    ChaosRun run = run(name, Optional.of(source(topic)), new Configuration());
    sendUntil(Outcome.APPLIED, run, topic, straggle("old", 1));
    try (Admin admin = Admin.create(topic.clientProperties());
        KafkaProducer<String, String> producer = producer(topic.clientProperties())) {
      admin.createPartitions(Map.of(topic.name(), NewPartitions.increaseTo(2))).all().get();
      // The producer waits until it knows the new partition.
      put(producer, topic, 1, straggle("new", 2));
      await(() -> run.happenings(Outcome.APPLIED).size() == 2);
      put(producer, topic, 0, straggle("new", 2));
      put(producer, topic, 1, straggle("old", 1));
      await(() -> run.happenings(Outcome.IGNORED).size() == 2);
    }
    assertThat(run.happenings(Outcome.APPLIED))
        .extracting(happening -> happening.event().origin().orElseThrow())
        .containsExactly(topic.name() + "/0/0", topic.name() + "/1/0");
    assertThat(run.ids(Outcome.IGNORED)).isEqualTo(Set.of("new", "old"));
    GatedModel.gate(name).letPass(ALL);
    run.digests();
  }

  @Test
  void aTopicThatIsNotThereIsRefusedAndNotMade() throws Exception {
    KafkaTopic topic = topic();
    KafkaTopic other = new KafkaTopic(topic.brokers(), name + "-used", Map.of());
    Map<Integer, Long> unused = KafkaTopics.offsets(other, false);
    try (Admin admin = Admin.create(topic.clientProperties())) {
      // The broker lists a topic only a moment after it has confirmed that the topic exists.
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> admin.listTopics().names().get().contains(other.applied().name()));
      for (String command :
          List.of("send cut 3 1", "generate --workers 4 --duration 1s --rate 9/s", "status")) {
        CommandRun run =
            CommandRun.ofLine(
                "chaos %s --topic %s --kafka-brokers %s"
                    .formatted(command, topic.name(), topic.brokers()));
        run.assertMistake(topic.name());
        assertThat(run.err()).as("topics of trainings").contains(other.name());
      }
      assertThat(admin.listTopics().names().get())
          .contains(other.name(), other.applied().name())
          .doesNotContain(topic.name(), topic.applied().name());
    }
    CommandRun sent =
        CommandRun.ofLine(
            "chaos send cut 3 1 --topic %s --kafka-brokers %s"
                .formatted(other.name(), other.brokers()));
    assertThat(sent.exitCode()).isEqualTo(ExitCodes.OK);
    assertThat(sent.out()).contains("1 event sent").doesNotContain("?");
  }

  private static String straggle(String id, int rank) {
    return "straggle %d factor 2 id %s".formatted(rank, id);
  }

  private static KafkaTopic with(KafkaTopic topic, String key, String value) {
    return new KafkaTopic(topic.brokers(), topic.name(), Map.of(key, value));
  }

  private KafkaProducer<String, String> transactional(KafkaTopic topic) {
    Properties properties = topic.clientProperties();
    properties.setProperty("transactional.id", name);
    KafkaProducer<String, String> producer = producer(properties);
    producer.initTransactions();
    return producer;
  }

  private static KafkaProducer<String, String> producer(Properties properties) {
    return new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
  }

  /** Sends an event and waits for the broker's acknowledgement. */
  private static void put(
      KafkaProducer<String, String> producer, KafkaTopic topic, int partition, String event)
      throws Exception {
    producer.send(new ProducerRecord<>(topic.name(), partition, null, event)).get();
  }
}
