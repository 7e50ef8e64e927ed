package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.braid.job.console.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scores of topics of a real broker. */
class ScoreITCase {

  private static final ObjectMapper JSON = new ObjectMapper();

  @RegisterExtension static final BrokerExtension BROKER = new BrokerExtension();

  @TempDir private Path folder;

  private static String data(String topic) {
    return "{place: kafka:%s, features: [x1, x2, x3], label: label, classes: [0, 1], key: id, window: 20, until: latest}"
        .formatted(topic);
  }

  private static String brokers() {
    return BROKER.process().address();
  }

  private void publish(String topic) {
    CommandRun trained =
        CommandRun.withErrorOutput(
            "train",
            "--web-port=0",
            "--data=" + data(topic),
            "--model=logistic",
            "--workers=2",
            "--batch=10",
            "--kafka-brokers=" + brokers(),
            "--out=" + folder.resolve("out"),
            "--publish=" + folder.resolve("models"));
    assertThat(trained.exitCode()).as(trained.out()).isZero();
  }

  private CommandRun score(String topic, String... more) {
    return CommandRun.withErrorOutput(
        Stream.of(
                Stream.of(
                    "score",
                    "--web-port=0",
                    "--data=" + data(topic),
                    "--kafka-brokers=" + brokers(),
                    "--out=" + folder.resolve("score")),
                Stream.of(more),
                Stream.of("--models=" + folder.resolve("models"))
                    .filter(it -> Stream.of(more).noneMatch(word -> word.startsWith("--models"))))
            .flatMap(it -> it)
            .toArray(String[]::new));
  }

  private static Properties properties() {
    Properties properties = new Properties();
    properties.putAll(Map.of("bootstrap.servers", brokers(), "isolation.level", "read_committed"));
    return properties;
  }

  private static List<ConsumerRecord<String, String>> records(String topic) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(properties(), new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = ends(partitions);
      List<ConsumerRecord<String, String>> all = new ArrayList<>();
      TrainingCluster.await(
          () -> {
            consumer.poll(Duration.ofMillis(100)).forEach(all::add);
            return partitions.stream().allMatch(it -> consumer.position(it) >= ends.get(it));
          });
      return all;
    }
  }

  /**
   * Returns the ends of partitions with the records of transactions whose commit is still being
   * written, which {@code read_committed} would leave out.
   */
  private static Map<TopicPartition, Long> ends(List<TopicPartition> partitions) {
    Properties uncommitted = properties();
    uncommitted.put("isolation.level", "read_uncommitted");
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(uncommitted, new StringDeserializer(), new StringDeserializer())) {
      return consumer.endOffsets(partitions);
    }
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new AssertionError(text, e);
    }
  }

  @Test
  void eachRecordHasTheScoreThatPredictGives_orAnError() throws Exception {
    BROKER.feed("to-score", 1_000);
    publish("to-score");
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(properties(), new StringSerializer(), new StringSerializer())) {
      for (String value : List.of("{", "{\"x1\":1}", "{\"x1\":1,\"x2\":2,\"x3\":\"a\"}", "")) {
        producer.send(new ProducerRecord<>("to-score", 0, "bad", value)).get();
      }
      producer.send(new ProducerRecord<>("to-score", 0, "bad", null)).get();
      // A label is not required.
      producer
          .send(new ProducerRecord<>("to-score", 0, "new", "{\"x1\":1,\"x2\":2,\"x3\":3,\"y\":[]}"))
          .get();
    }
    CommandRun run = score("to-score", "--to=kafka:the-scores", "--parallelism=2");
    assertThat(run.exitCode()).as(run.out()).isZero();

    Map<String, JsonNode> scores = new HashMap<>();
    for (ConsumerRecord<String, String> score : records("the-scores")) {
      JsonNode json = json(score.value());
      assertThat(scores.put(json.get("partition") + ":" + json.get("offset"), json)).isNull();
      assertThat(json.has("error")).as(score.value()).isEqualTo("bad".equals(score.key()));
      assertThat(json.get("version").asText()).matches("v[1-9]");
    }
    assertThat(scores).hasSize(1_006);
    StringBuilder rows = new StringBuilder("x1,x2,x3\n");
    List<JsonNode> expected = new ArrayList<>();
    for (ConsumerRecord<String, String> record : records("to-score")) {
      if (record.value() != null && record.value().startsWith("{\"id\"")) {
        JsonNode sample = json(record.value());
        rows.append("%s,%s,%s%n".formatted(sample.get("x1"), sample.get("x2"), sample.get("x3")));
        expected.add(scores.get(record.partition() + ":" + record.offset()));
      }
    }
    CommandRun predicted =
        CommandRun.of(
            "predict",
            "--json",
            "--model",
            folder.resolve("models").toString(),
            Files.writeString(folder.resolve("rows.csv"), rows).toString());
    List<String> lines = predicted.out().lines().toList();
    assertThat(lines).hasSameSizeAs(expected).hasSize(1_000);
    for (int i = 0; i < lines.size(); i++) {
      JsonNode line = json(lines.get(i));
      assertThat(expected.get(i).get("class")).isEqualTo(line.get("class"));
      assertThat(expected.get(i).get("probabilities").get("1").asDouble())
          .isCloseTo(line.get("probabilities").get("1").asDouble(), within(1e-5));
    }
  }

  /** The registry has versions of a table with other columns. */
  @Test
  void versionsOfAnotherModelAreNotPublishedThere() throws Exception {
    BROKER.feed("few-records", 20);
    TestVersions.ofTable(
        folder.resolve("models").toString(), Files.createDirectory(folder.resolve("table")), 1);
    CommandRun run =
        CommandRun.withErrorOutput(
            "train",
            "--data=" + data("few-records"),
            "--model=logistic",
            "--kafka-brokers=" + brokers(),
            "--out=" + folder.resolve("out"),
            "--publish=" + folder.resolve("models"));
    assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.err()).contains("--publish").hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({
    "--to=kafka:few-records, --to kafka:few-records",
    "--to=scores, --to scores",
    "'--to=kafka:a b', --to kafka:a b",
    "--to=kafka:s --canary=17=0.5, --canary 17=0.5",
    "--to=kafka:s --canary=v1=2, --canary v1=2",
    "--to=kafka:s --fixed=17, --fixed 17",
    "--to=kafka:s --parallelism=0, --parallelism 0",
    "--to=kafka:s --topic=no-such-topic, no-such-topic",
    "--to=kafka:s --restore=latest, --restore latest",
    "--to=kafka:s --models=nowhere://models, --models nowhere://models",
    "--to=kafka:s, x1",
  })
  void mistakesEndItBeforeTheJobStarts(String options, String named) throws Exception {
    BROKER.feed("few-records", 20);
    TestVersions.ofTable(
        folder.resolve("models").toString(), Files.createDirectory(folder.resolve("table")), 1);
    CommandRun run = score("few-records", options.split(" (?=--)"));
    assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.err()).contains(named).hasLineCount(1);
  }
}
