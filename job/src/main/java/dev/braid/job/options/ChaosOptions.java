package dev.braid.job.options;

import dev.braid.chaos.stream.KafkaTopic;
import java.util.Map;
import java.util.Optional;

/**
 * Where a user wants chaos events to come from: a file or a topic.
 *
 * @param file a path on this machine
 * @param topic with the brokers that have it
 * @param earliest whether the events that are in the topic already count
 */
public record ChaosOptions(Optional<String> file, Optional<KafkaTopic> topic, boolean earliest) {

  /** Behind a topic's name, as typed. */
  static final String EARLIEST = ":earliest";

  /**
   * Adds the options by their names on the command line; not Kafka's properties: they have secrets.
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
