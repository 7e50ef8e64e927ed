package dev.braid.connectors.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.job.BrokerExtension;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Registries in topics of a real broker. */
class TopicRegistryITCase extends RegistryContract {

  @RegisterExtension static final BrokerExtension BROKER = new BrokerExtension();

  private final StreamTopic topic = new StreamTopic("models-" + UUID.randomUUID(), kafka());

  @Override
  String place() {
    return topic.place();
  }

  @Override
  Map<String, String> kafka() {
    return Map.of("bootstrap.servers", BROKER.process().address());
  }

  @Override
  ModelRegistry dyingAfter(int writes) throws IOException {
    return new TopicRegistry(topic, () -> new Dying(TopicWriter.properties(topic), writes));
  }

  /** Producer of a process that dies: after some records, all later ones fail. */
  private static final class Dying extends KafkaProducer<byte[], byte[]> {
    private int left;

    Dying(Properties properties, int writes) {
      super(properties);
      this.left = writes;
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
      if (left == 0) {
        return CompletableFuture.failedFuture(new TimeoutException("dead"));
      }
      left--;
      return super.send(record);
    }
  }

  @Override
  void put(Map<String, String> texts) throws IOException {
    try (TopicWriter writer = writer()) {
      texts.forEach((key, text) -> writer.send(0, key, text.getBytes(StandardCharsets.UTF_8)));
      writer.await();
    }
  }

  /** Removes a file's chunks, as compaction does after a record without a value. */
  @Override
  void damage(ModelVersion version, String name) throws IOException {
    try (TopicWriter writer = writer()) {
      FileChunks.keys(version, name).forEach(key -> writer.remove(1, key));
      long first = writer.await().orElseThrow();
      FileChunks.of(version, ModelVersion.CARD, registry().file(version, ModelVersion.CARD))
          .forEach((key, chunk) -> writer.send(1, key, chunk));
      byte[] offset = Long.toString(first).getBytes(StandardCharsets.UTF_8);
      writer.send(0, version.name(), version.toBytes(), "first-chunk", offset);
      writer.await();
    }
  }

  private TopicWriter writer() {
    return new TopicWriter(topic, new KafkaProducer<>(TopicWriter.properties(topic)));
  }

  private Admin admin() {
    return Admin.create(Map.copyOf(kafka()));
  }

  @Test
  void aTopicThatIsDeletedAndCreatedAgainIsReadAgain() throws Exception {
    Map<String, byte[]> contents = contents(1, 1000);
    registry().publish(version(1, contents), contents);
    registry().publish(version(2, contents), contents);
    try (ModelRegistry follower = another();
        Admin admin = admin()) {
      assertThat(follower.serving()).hasValue(2);
      admin.deleteTopics(List.of(topic.name())).all().get();
      // The controller answers before the broker knows.
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> !admin.listTopics().names().get().contains(topic.name()));
      assertThat(follower.numbers()).isEmpty();
      registry().publish(version(1, contents), contents);
      assertThat(follower.serving()).hasValue(1);
      assertThat(follower.file(version(1, contents), ModelVersion.MODEL))
          .isEqualTo(contents.get(ModelVersion.MODEL));
    }
  }

  /**
   * A replaced job has written chunks with other content, such as a file that contains its time.
   */
  @Test
  void chunksOfAReplacedJobDoNoHarm() throws Exception {
    Map<String, byte[]> contents = contents(1, 2_000_000);
    Map<String, byte[]> others = contents(2, 2_000_000);
    registry().publish(version(1, contents), contents);
    try (TopicWriter writer = writer()) {
      FileChunks.of(version(1, others), "model.zip", others.get("model.zip"))
          .forEach((key, chunk) -> writer.send(1, key, chunk));
      writer.await();
    }
    ModelVersion version = registry().version(1).orElseThrow();
    assertThat(registry().file(version, "model.zip")).isEqualTo(contents.get("model.zip"));
    // The replaced job has also sent its description, if it has not seen that of the other job.
    try (TopicWriter writer = writer();
        ModelRegistry reader = another()) {
      writer.send(0, "v1", version(1, others).toBytes());
      writer.await();
      assertThat(reader.file(version, "model.zip")).isEqualTo(contents.get("model.zip"));
      assertThat(reader.file(version(1, others), "model.zip")).isEqualTo(others.get("model.zip"));
    }
  }

  @ParameterizedTest
  @CsvSource({"1, compact", "3, compact", "2, delete", "2, 'compact,delete'"})
  void aTopicThatIsNoneOfARegistryIsRefused(int partitions, String cleanup) throws Exception {
    try (Admin admin = admin()) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(topic.name(), partitions, (short) 1)
                      .configs(Map.of("cleanup.policy", cleanup))))
          .all()
          .get();
    }
    Map<String, byte[]> contents = contents(1, 10);
    assertThatThrownBy(() -> registry().publish(version(1, contents), contents))
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining(topic.name());
  }

  @Test
  void aBrokerThatDoesNotAnswerIsNoEmptyRegistry() throws Exception {
    Map<String, String> away =
        Map.of(
            "bootstrap.servers",
            "127.0.0.1:1",
            "default.api.timeout.ms",
            "1000",
            "request.timeout.ms",
            "500");
    try (ModelRegistry unreachable = new RegistryPlace(place(), away).open()) {
      assertThatThrownBy(unreachable::numbers).isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> new RegistryPlace(place(), Map.of("bootstrap.servers", "x")).open())
        .isInstanceOf(InvalidDataException.class);
  }
}
