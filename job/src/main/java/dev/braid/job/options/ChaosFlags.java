package dev.braid.job.options;

import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.job.console.UsageException;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options of {@code braid train} that disturb it. */
final class ChaosFlags {

  @Option(
      names = "--chaos-file",
      paramLabel = "FILE",
      description = {
        "Break links and ranks as the chaos events in this file say, one a line (see"
            + " docs/chaos-events.md).",
        "Default: break nothing"
      })
  private String file;

  @Option(
      names = "--chaos-topic",
      paramLabel = "TOPIC",
      description = {
        "Break links and ranks as the chaos events in this Kafka topic say, as they come.",
        "What became of them is in TOPIC.applied, and in TOPIC.dead-letters, too.",
        "Default: break nothing"
      })
  private String topic;

  @Option(
      names = "--chaos-from",
      paramLabel = "PLACE",
      description = {
        "Which events of the topic: latest, those sent from now on; or earliest, all.",
        "Default: latest"
      })
  private String from = "latest";

  @ArgGroup(exclusive = false, validate = false)
  private final KafkaFlags kafka = new KafkaFlags();

  /** A file of events, as it was typed. */
  Optional<String> file() {
    return Optional.ofNullable(file);
  }

  /**
   * The options with their meaning.
   *
   * @throws UsageException if they do not fit together
   */
  Optional<ChaosOptions> options() {
    if (file != null && topic != null) {
      throw new UsageException("--chaos-file and --chaos-topic: only one of them is possible");
    }
    if (!from.equals("latest") && !from.equals("earliest")) {
      throw new UsageException("--chaos-from " + from + ": latest or earliest is needed");
    }
    if (file == null && topic == null) {
      return Optional.empty();
    }
    Optional<KafkaTopic> named = Optional.ofNullable(topic).map(kafka::topic);
    return Optional.of(new ChaosOptions(file(), named, from.equals("earliest")));
  }
}
