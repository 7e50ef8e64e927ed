package dev.braid.job.options;

import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.job.console.UsageException;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** The options that say which topic a training gets its events from. */
public final class TopicFlags {

  private static final Set<String> NAMES = Set.of("--topic", "--kafka-brokers", "--kafka-config");

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      defaultValue = "chaos",
      description = {
        "Topic of the chaos events: the training's --chaos-topic.",
        "Default: ${DEFAULT-VALUE}"
      })
  private String topic;

  @Mixin private final KafkaFlags kafka = new KafkaFlags();

  /**
   * Refuses these options where a file is given: they would change nothing in silence.
   *
   * @param fileOption that has been given, too
   */
  public static void refuseBeside(String fileOption, CommandSpec command) {
    for (OptionSpec option : command.commandLine().getParseResult().matchedOptions()) {
      if (NAMES.contains(option.longestName())) {
        throw new UsageException(
            fileOption + " and " + option.longestName() + ": use only one of them");
      }
    }
  }

  /**
   * The topic of the events.
   *
   * @throws UsageException if it cannot have this name, or the brokers' addresses are none
   */
  public KafkaTopic topic() {
    return kafka.topic("--topic", topic);
  }
}
