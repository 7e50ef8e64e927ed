package dev.braid.job.options;

import dev.braid.chaos.stream.KafkaTopic;
import java.util.Map;
import java.util.Optional;

/**
 * Source of chaos events: a file or a topic.
 *
 * @param file path on this machine
 * @param topic name and brokers of the topic
 * @param earliest whether to apply the events that are already in the topic
 */
public record ChaosOptions(Optional<String> file, Optional<KafkaTopic> topic, boolean earliest) {

  /** Suffix of a topic's name, as typed. */
  static final String EARLIEST = ":earliest";

  /**
   * Adds the options by their names on the command line, without Kafka's properties, which contain
   * secrets.
   */
  void put(Map<String, Object> json) {
    file.ifPresent(value -> json.put("chaos-file", value));
    topic.ifPresent(
        value -> {
          json.put("chaos-topic", value.name() + (earliest ? EARLIEST : ""));
          json.put("kafka-brokers", value.brokers());
        });
  }
}
