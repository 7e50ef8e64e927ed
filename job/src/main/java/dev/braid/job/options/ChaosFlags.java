package dev.braid.job.options;

import dev.braid.job.console.UsageException;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of {@code braid train} for chaos events. */
final class ChaosFlags {

  @Option(
      names = "--chaos-file",
      paramLabel = "FILE",
      description = {
        "Apply the chaos events in this file, one per line, to links and ranks (see "
            + "docs/reference/chaos-events.md).",
        "Default: no chaos events"
      })
  private String file;

  @Option(
      names = "--chaos-topic",
      paramLabel = "TOPIC[:earliest]",
      description = {
        "Apply the chaos events that arrive in this Kafka topic to links and ranks. "
            + "With TOPIC:earliest, also the events that are already in the topic.",
        "Results are also written to TOPIC.applied and TOPIC.dead-letters.",
        "Default: no chaos events"
      })
  private String topic;

  /** Returns whether events come from a topic. */
  boolean hasTopic() {
    return topic != null;
  }

  /** Returns the file of events, as typed. */
  Optional<String> file() {
    return Optional.ofNullable(file);
  }

  /**
   * Returns the validated options.
   *
   * @param kafka how to reach brokers
   * @throws UsageException if they are invalid, or cannot be combined
   */
  Optional<ChaosOptions> options(KafkaFlags kafka) {
    if (file != null && topic != null) {
      throw new UsageException("--chaos-file and --chaos-topic: use only one of them");
    }
    if (file != null && file.isBlank()) {
      throw new UsageException("--chaos-file '': must be a path");
    }
    if (topic == null) {
      return file().map(name -> new ChaosOptions(file(), Optional.empty(), false));
    }
    String[] parts = topic.split(":", -1);
    boolean earliest = parts.length == 2 && ChaosOptions.EARLIEST.equals(":" + parts[1]);
    if (parts.length > 1 && !earliest) {
      throw new UsageException(
          "--chaos-topic " + topic + ": must be TOPIC or TOPIC" + ChaosOptions.EARLIEST);
    }
    return Optional.of(
        new ChaosOptions(
            Optional.empty(), Optional.of(kafka.topic("--chaos-topic", parts[0])), earliest));
  }
}
