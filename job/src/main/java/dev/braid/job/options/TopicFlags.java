package dev.braid.job.options;

import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.job.console.UsageException;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Options for the topic of a training job's chaos events. */
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
   * Refuses these options if a file is given, because they would have no effect.
   *
   * @param fileOption the option that names the file
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
   * Returns the topic of the events.
   *
   * @throws UsageException if its name or the brokers' addresses are invalid
   */
  public KafkaTopic topic() {
    return kafka.topic("--topic", topic);
  }
}
