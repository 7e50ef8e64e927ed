package dev.braid.job.plan;

import dev.braid.chaos.ChaosConfig;
import dev.braid.chaos.stream.EventSource;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.KafkaTopics;
import dev.braid.job.console.Places;
import dev.braid.job.console.TextFile;
import dev.braid.job.console.UsageException;
import dev.braid.job.engine.FlinkSettings;
import dev.braid.job.options.BrokerWait;
import dev.braid.job.options.ChaosOptions;
import dev.braid.job.options.OutPlace;
import dev.braid.job.options.TrainOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Conversion of the options for chaos events to the job's configuration, which finds errors before
 * the job starts.
 */
final class ChaosPlan {

  private static final long MAX_FILE_BYTES = 4 << 20;

  private ChaosPlan() {}

  /**
   * Reads the file, or finds the topic.
   *
   * @throws UsageException if that is not possible
   */
  static ChaosConfig of(ChaosOptions chaos, TrainOptions options) {
    EventSource source =
        chaos
            .topic()
            .map(topic -> topic(topic, chaos.earliest()))
            .orElseGet(() -> file(chaos.file().orElseThrow(), options.ranks()));
    return new ChaosConfig(source, OutPlace.of(options).place(), options.learning().seed());
  }

  /**
   * Reads the events of a file. A file without any valid event is refused; {@link #warning} reports
   * single invalid events.
   */
  private static EventSource file(String file, int ranks) {
    EventSource.Lines events = new EventSource.Lines(lines(file));
    List<String> refused = events.refused(ranks);
    if (refused.size() == events.size()) {
      throw new UsageException(
          "--chaos-file "
              + file
              + ": has no valid chaos event in "
              + events.size()
              + (events.size() == 1 ? " record" : " records")
              + "; the first: "
              + refused.get(0));
    }
    return events;
  }

  /** Returns a warning about invalid events, for before the run starts; empty if there are none. */
  static Optional<String> warning(ChaosConfig chaos, int ranks) {
    List<String> refused =
        chaos.source() instanceof EventSource.Lines events ? events.refused(ranks) : List.of();
    return refused.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%d of the records in --chaos-file %s, written to %s; the first: %s"
                .formatted(
                    refused.size(),
                    refused.size() == 1 ? "is not a chaos event" : "are not chaos events",
                    Places.shown(chaos.deadLetterFile()),
                    refused.get(0)));
  }

  private static EventSource topic(KafkaTopic topic, boolean earliest) {
    return new EventSource.Topic(
        topic, BrokerWait.answer(topic, () -> KafkaTopics.offsets(topic, earliest)));
  }

  /** Returns the lines of a file of events, on any file system. */
  static List<String> lines(String file) {
    boolean isElsewhere = FlinkSettings.hasScheme(file) && !Files.isRegularFile(Path.of(file));
    List<String> lines =
        isElsewhere
            ? TextFile.linesOfFlink("--chaos-file " + file, file, MAX_FILE_BYTES)
            : localLines(file);
    if (lines.stream().allMatch(String::isBlank)) {
      throw new UsageException("--chaos-file " + file + ": has no event");
    }
    return lines;
  }

  private static List<String> localLines(String file) {
    Path path = Path.of(file);
    if (!Files.isRegularFile(path) && !Files.isDirectory(path)) {
      throw new UsageException("--chaos-file " + file + ": no such file");
    }
    return TextFile.lines("--chaos-file " + file, path, MAX_FILE_BYTES);
  }
}
