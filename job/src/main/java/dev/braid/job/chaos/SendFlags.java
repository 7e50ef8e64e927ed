package dev.braid.job.chaos;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventWriter;
import dev.braid.chaos.stream.BrokerAwayException;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.KafkaTopics;
import dev.braid.files.WholeFile;
import dev.braid.job.console.TextFile;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.BrokerWait;
import dev.braid.job.options.TopicFlags;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options for the destination of events: a topic or a file. */
final class SendFlags {

  /** Largest file of events, in bytes. An event takes a few hundred bytes in a log. */
  private static final long MAX_FILE_BYTES = 256 << 20;

  /** Wait before each event. */
  @FunctionalInterface
  interface Pace {
    void before(int index) throws InterruptedException;
  }

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Mixin private final TopicFlags topic = new TopicFlags();

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = {
        "Write the events to this new file, for --chaos-file, instead of sending them. "
            + "An existing file is not changed.",
        "Default: send"
      })
  private Path file;

  boolean toFile() {
    return file != null;
  }

  /**
   * Sends events to the topic, or writes them to the file, all at once.
   *
   * @return a summary for the user
   * @throws UsageException if the broker is unreachable, the file cannot be written, or both a
   *     topic and a file are given
   */
  String send(List<ChaosEvent> events) throws InterruptedException {
    return send(events, () -> index -> {});
  }

  /**
   * Sends events at a given pace, or writes them to the file.
   *
   * @param paced supplies the pace once the topic is ready, because connecting to a broker takes
   *     time
   */
  String send(List<ChaosEvent> events, Supplier<Pace> paced) throws InterruptedException {
    String count = events.size() == 1 ? "1 event" : events.size() + " events";
    if (toFile()) {
      write(events);
      return count + " written to " + file;
    }
    KafkaTopic to = topic.topic();
    try (KafkaTopics.Lines lines = BrokerWait.answer(to, () -> KafkaTopics.write(to))) {
      Pace pace = paced.get();
      for (int i = 0; i < events.size(); i++) {
        pace.before(i);
        lines.add(EventWriter.write(events.get(i)));
      }
    } catch (BrokerAwayException e) {
      throw new UsageException(e.getMessage(), e);
    }
    return count + " sent to topic " + to.name() + " at " + to.brokers() + "; " + whereToLook(to);
  }

  /**
   * Tells the user where results appear. An event that does not fit the run, such as one for a rank
   * that does not exist, is refused there.
   */
  private static String whereToLook(KafkaTopic to) {
    return ("the result of each event is in %s.applied, or with the reason for a refusal "
            + "in %1$s.dead-letters, and in chaos-….jsonl in the training's --out folder")
        .formatted(to.name());
  }

  /** Returns the lines of a file of events or of a log that the user has named. */
  static List<String> readLines(String named, Path file) {
    return TextFile.lines(named, file, MAX_FILE_BYTES);
  }

  private void write(List<ChaosEvent> events) {
    TopicFlags.refuseBeside("--to", command);
    if (Files.isRegularFile(file)) {
      throw new UsageException(
          "--to " + file + ": already exists; give another name, or remove the file");
    }
    StringBuilder lines = new StringBuilder();
    events.forEach(event -> lines.append(EventWriter.write(event)).append('\n'));
    byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
    try {
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        // A device, pipe or link is written to instead of being replaced by a file.
        Files.write(file, bytes);
      } else {
        WholeFile.write(file, out -> out.write(bytes));
      }
    } catch (IOException e) {
      throw new UsageException("--to " + file + ": cannot be written: " + WholeFile.reason(e), e);
    }
  }
}
