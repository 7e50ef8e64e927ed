package dev.braid.job.options;

import dev.braid.job.console.UsageException;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of {@code braid train} that disturb it. */
final class ChaosFlags {

  @Option(
      names = "--chaos-file",
      paramLabel = "FILE",
      description = {
        "Break links and ranks as the chaos events in this file say, one a line (see"
            + " docs/reference/chaos-events.md).",
        "Default: break nothing"
      })
  private String file;

  @Option(
      names = "--chaos-topic",
      paramLabel = "TOPIC[:earliest]",
      description = {
        "Break links and ranks as the chaos events in this Kafka topic say, as they come; with"
            + " :earliest, those that are there already, too.",
        "What became of them is in TOPIC.applied, and in TOPIC.dead-letters, too.",
        "Default: break nothing"
      })
  private String topic;

  /** Whether events come from a topic. */
  boolean hasTopic() {
    return topic != null;
  }

  /** A file of events, as it was typed. */
  Optional<String> file() {
    return Optional.ofNullable(file);
  }

  /**
   * The options with their meaning.
   *
   * @param kafka how to reach brokers
   * @throws UsageException if they do not fit together
   */
  Optional<ChaosOptions> options(KafkaFlags kafka) {
    if (file != null && topic != null) {
      throw new UsageException("--chaos-file and --chaos-topic: only one of them is possible");
    }
    if (file != null && file.isBlank()) {
      throw new UsageException("--chaos-file '': a path is needed");
    }
    if (topic == null) {
      return file().map(name -> new ChaosOptions(file(), Optional.empty(), false));
    }
    String[] parts = topic.split(":", -1);
    boolean earliest = parts.length == 2 && ChaosOptions.EARLIEST.equals(":" + parts[1]);
    if (parts.length > 1 && !earliest) {
      throw new UsageException(
          "--chaos-topic " + topic + ": TOPIC or TOPIC" + ChaosOptions.EARLIEST + " is needed");
    }
    return Optional.of(
        new ChaosOptions(
            Optional.empty(), Optional.of(kafka.topic("--chaos-topic", parts[0])), earliest));
  }
}
