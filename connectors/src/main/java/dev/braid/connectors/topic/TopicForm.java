package dev.braid.connectors.topic;

import dev.braid.connectors.file.InvalidDataException;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
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

/**
 * A kind of topic that Braid creates.
 *
 * @param title name of the kind in messages
 * @param partitions number of partitions
 * @param keeping settings without which the topic would lose records
 * @param more further settings of a topic that Braid creates; an existing topic may have others
 */
public record TopicForm(
    String title, int partitions, Map<String, String> keeping, Map<String, String> more) {

  /** A log: one partition, whose records are in order and never deleted. */
  public static final TopicForm LOG =
      new TopicForm(
          "a log",
          1,
          Map.of(
              TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE,
              TopicConfig.RETENTION_MS_CONFIG, "-1",
              TopicConfig.RETENTION_BYTES_CONFIG, "-1"),
          Map.of());

  /**
   * A registry of models: partition 0 contains their descriptions, partition 1 the chunks of their
   * files, and the last record of each key is kept. Segments are small, because only closed
   * segments are compacted.
   */
  public static final TopicForm REGISTRY =
      new TopicForm(
          "a registry",
          2,
          Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT),
          Map.of(
              TopicConfig.SEGMENT_BYTES_CONFIG, Integer.toString(64 << 20),
              TopicConfig.DELETE_RETENTION_MS_CONFIG, Long.toString(Duration.ofDays(1).toMillis()),
              TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(1 << 20)));

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Copies the settings, in the order of their names. */
  public TopicForm {
    keeping = Collections.unmodifiableSortedMap(new TreeMap<>(keeping));
    more = Collections.unmodifiableSortedMap(new TreeMap<>(more));
  }

  /**
   * Creates the topic, or checks the existing one.
   *
   * @throws InvalidDataException if the topic has another number of partitions or may lose records,
   *     or brokers refuse access
   * @throws IOException if no broker answers
   */
  public void prepare(StreamTopic topic) throws IOException {
    try (TopicOffsets offsets = new TopicOffsets(topic)) {
      if (!isThere(topic, offsets)) {
        create(topic, offsets);
      }
      checkSettings(topic, offsets.admin());
    }
  }

  /** Creates the topic, and waits until a broker knows it. */
  private void create(StreamTopic topic, TopicOffsets offsets) throws IOException {
    Map<String, String> settings = new TreeMap<>(keeping);
    settings.putAll(more);
    NewTopic created =
        new NewTopic(topic.name(), Optional.of(partitions), Optional.empty()).configs(settings);
    try {
      var unused = TopicOffsets.answer(topic, offsets.admin().createTopics(List.of(created)).all());
    } catch (IOException e) {
      boolean isThere =
          e.getCause() != null && e.getCause().getCause() instanceof TopicExistsException;
      if (!isThere) {
        throw e;
      }
    }
    long startNanos = System.nanoTime();
    while (!isThere(topic, offsets)) {
      if (System.nanoTime() - startNanos > PATIENCE.toNanos()) {
        throw new IOException(topic + ": was created, but no broker knows it yet");
      }
      try {
        Thread.sleep(PAUSE.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(topic + ": interrupted", e);
      }
    }
  }

  private boolean isThere(StreamTopic topic, TopicOffsets offsets) throws IOException {
    Optional<TopicOffsets.Description> found = offsets.find();
    found.ifPresent(it -> requirePartitions(topic, it));
    return found.isPresent();
  }

  /**
   * Checks that the topic exists and has the partitions of this form.
   *
   * @throws InvalidDataException if it does not
   * @throws IOException if no broker answers
   */
  public void requireThere(StreamTopic topic) throws IOException {
    try (TopicOffsets offsets = new TopicOffsets(topic)) {
      requirePartitions(topic, offsets.describe());
    }
  }

  /**
   * Checks the number of partitions.
   *
   * @throws InvalidDataException if it differs from this form's
   */
  public void requirePartitions(StreamTopic topic, TopicOffsets.Description found) {
    if (found.partitions() != partitions) {
      throw new InvalidDataException(
          "%s: the number of its partitions is %d, and %s needs %d: name another topic"
              .formatted(topic, found.partitions(), title, partitions));
    }
  }

  private void checkSettings(StreamTopic topic, Admin admin) throws IOException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
    Config found =
        TopicOffsets.answer(topic, admin.describeConfigs(List.of(resource)).all()).get(resource);
    keeping.forEach(
        (name, needed) -> {
          String value = found.get(name).value();
          if (!needed.equals(value)) {
            throw new InvalidDataException(
                "%s: its %s is %s, and %s needs %s: change it, or name another topic"
                    .formatted(topic, name, value, title, needed));
          }
        });
  }
}
