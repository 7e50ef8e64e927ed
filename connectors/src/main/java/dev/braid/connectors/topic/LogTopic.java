package dev.braid.connectors.topic;

import dev.braid.connectors.file.InvalidDataException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Topics that keep a log: one partition, whose records are in order and never deleted. */
public final class LogTopic {

  private static final Duration CLOSING = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Settings without which the topic would lose records. */
  private static final Map<String, String> KEEPING =
      new TreeMap<>(
          Map.of(
              TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE,
              TopicConfig.RETENTION_MS_CONFIG, "-1",
              TopicConfig.RETENTION_BYTES_CONFIG, "-1"));

  private LogTopic() {}

  /**
   * Creates the topic, or checks the one that exists.
   *
   * @throws InvalidDataException if the topic has several partitions or a limited retention, or
   *     brokers refuse
   * @throws IOException if no broker answers
   */
  public static void prepare(StreamTopic topic) throws IOException {
    Admin admin = Admin.create(topic.adminProperties());
    try {
      if (!isThere(topic)) {
        create(topic, admin);
      }
      checkSettings(topic, admin);
    } finally {
      admin.close(CLOSING);
    }
  }

  /** Creates the topic, and waits until a broker that is asked for it knows it. */
  private static void create(StreamTopic topic, Admin admin) throws IOException {
    NewTopic created =
        new NewTopic(topic.name(), Optional.of(1), Optional.empty()).configs(KEEPING);
    try {
      var unused = TopicOffsets.answer(topic, admin.createTopics(List.of(created)).all());
    } catch (IOException e) {
      boolean isThere =
          e.getCause() != null && e.getCause().getCause() instanceof TopicExistsException;
      if (!isThere) {
        throw e;
      }
    }
    long startNanos = System.nanoTime();
    while (!isThere(topic)) {
      if (System.nanoTime() - startNanos > PATIENCE.toNanos()) {
        throw new IOException(topic + ": it was created, and no broker that is asked knows it");
      }
      try {
        Thread.sleep(PAUSE.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(topic + ": interrupted", e);
      }
    }
  }

  private static boolean isThere(StreamTopic topic) throws IOException {
    try {
      requireOnePartition(topic);
      return true;
    } catch (InvalidDataException e) {
      boolean isMissing =
          e.getCause() != null
              && e.getCause().getCause() instanceof UnknownTopicOrPartitionException;
      if (isMissing) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Checks that the topic exists and has one partition.
   *
   * @throws InvalidDataException if not
   * @throws IOException if no broker answers
   */
  public static void requireOnePartition(StreamTopic topic) throws IOException {
    try (TopicOffsets offsets = new TopicOffsets(topic)) {
      int partitions = offsets.describe().partitions();
      if (partitions != 1) {
        throw new InvalidDataException(
            "%s: it has %d partitions, and one is needed: name another topic"
                .formatted(topic, partitions));
      }
    }
  }

  private static void checkSettings(StreamTopic topic, Admin admin) throws IOException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
    Config found =
        TopicOffsets.answer(topic, admin.describeConfigs(List.of(resource)).all()).get(resource);
    KEEPING.forEach(
        (name, needed) -> {
          String value = found.get(name).value();
          if (!needed.equals(value)) {
            throw new InvalidDataException(
                "%s: its %s is %s, and a log needs %s: change it, or name another topic"
                    .formatted(topic, name, value, needed));
          }
        });
  }
}
