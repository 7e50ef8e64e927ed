package dev.braid.job;

import dev.braid.chaos.stream.KafkaTopic;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which topic a training gets its events from. */
final class TopicFlags {

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      defaultValue = "chaos",
      description = {"The training's --chaos-topic.", "Default: ${DEFAULT-VALUE}"})
  private String topic;

  @Mixin private final KafkaFlags kafka = new KafkaFlags();

  /**
   * The topic of the events.
   *
   * @throws UsageException if it cannot have this name, or the brokers' addresses are none
   */
  KafkaTopic topic() {
    return kafka.topic(topic);
  }
}
