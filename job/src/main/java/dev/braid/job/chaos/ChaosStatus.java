package dev.braid.job.chaos;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventText;
import dev.braid.chaos.event.Happening;
import dev.braid.chaos.event.HappeningLog;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.KafkaTopics;
import dev.braid.job.console.Durations;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.BrokerWait;
import dev.braid.job.options.TopicFlags;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Command {@code braid chaos status}: lists the faults in force, from the log of applied events.
 */
@Command(
    name = "status",
    description = "Lists the faults in force, as the log of applied events records them.",
    sortOptions = false)
public final class ChaosStatus implements Callable<Integer> {

  /**
   * Time after which an unlogged end counts as past. A run that pauses, as to recover, logs ends
   * late.
   */
  private static final long RECENT_MILLIS = 30_000;

  private final Terminal terminal;

  @Spec private CommandSpec command;

  @Mixin private final TopicFlags topic = new TopicFlags();

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = {
        "Log to read instead, such as out/chaos-applied.jsonl.",
        "Default: TOPIC.applied"
      })
  private Path file;

  @Option(names = "--json", description = "Print each fault as a line of JSON, as in the log.")
  private boolean json;

  public ChaosStatus(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    List<HappeningLog.Entry> log = read(lines(), "the log");
    Optional<HappeningLog.Entry> last = last(log);
    Instant now = Instant.now();
    List<HappeningLog.Entry> inForce = inForce(log, now);
    inForce.forEach(
        entry -> terminal.print(json ? HappeningLog.write(entry) : describe(entry, now)));
    if (!json) {
      terminal.print((inForce.isEmpty() ? "nothing is in force; " : "") + age(last, now));
      if (!inForce.isEmpty()) {
        terminal.print("if that job was stopped or has failed, nothing is in force");
      }
    }
    return ExitCodes.OK;
  }

  private static Optional<HappeningLog.Entry> last(List<HappeningLog.Entry> log) {
    return log.isEmpty() ? Optional.empty() : Optional.of(log.get(log.size() - 1));
  }

  /**
   * Returns the faults of the last run that have begun and not ended. Earlier runs in the same
   * topic may have stopped without logging the ends of their faults. The last run may have stopped,
   * too, so a fault whose time has long been over is left out.
   */
  static List<HappeningLog.Entry> inForce(List<HappeningLog.Entry> log, Instant now) {
    Map<String, HappeningLog.Entry> inForce = new LinkedHashMap<>();
    String run = last(log).map(HappeningLog.Entry::run).orElse("");
    for (HappeningLog.Entry entry : log.stream().filter(line -> line.run().equals(run)).toList()) {
      Happening happening = entry.happening();
      String id = happening.event().id().orElse("");
      if (happening.outcome() == Happening.Outcome.ENDED) {
        inForce.remove(id);
      } else if (happening.outcome() == Happening.Outcome.APPLIED
          && !happening.event().action().ends()) {
        inForce.put(id, entry);
      }
    }
    return inForce.values().stream().filter(entry -> !isLongOver(entry, now)).toList();
  }

  private static boolean isLongOver(HappeningLog.Entry entry, Instant now) {
    return leftMillis(entry, now).orElse(0) < -RECENT_MILLIS;
  }

  /**
   * Describes the log's last line and its age. The log does not record whether a training job is
   * still listening.
   */
  private static String age(Optional<HappeningLog.Entry> lastLine, Instant now) {
    return lastLine
        .map(
            last ->
                "the last line of the log is of job %s, %s ago%s"
                    .formatted(
                        last.run(),
                        Durations.inWords(Math.max(0, Duration.between(last.at(), now).toSeconds()))
                            .strip(),
                        last.happening().isOfTheEnd() ? ", when its training ended" : ""))
        .orElse(
            "no training has written to this log yet: is one running with this "
                + "--chaos-topic?");
  }

  /**
   * Describes a fault. The time left is wall-clock time, because the log does not record how long
   * the job has trained.
   */
  static String describe(HappeningLog.Entry entry, Instant now) {
    Happening happening = entry.happening();
    ChaosEvent event = happening.event();
    String since =
        happening.round() < 0 ? "before the first round" : "since round " + happening.round();
    return EventText.target(event)
        + ": "
        + EventText.state(event.action())
        + " "
        + since
        + left(entry, now);
  }

  private static String left(HappeningLog.Entry entry, Instant now) {
    if (entry.happening().event().forMillis().isEmpty()) {
      return ", until it is healed";
    }
    OptionalLong leftMillis = leftMillis(entry, now);
    if (leftMillis.isEmpty()) {
      return "";
    }
    return leftMillis.getAsLong() < 0
        ? ", and its time is over; the run has not logged the end yet"
        : ", " + ceilSeconds(leftMillis.getAsLong()) + " s left";
  }

  /**
   * Returns the milliseconds left; empty if the fault has no duration, or if it was restored after
   * a failure, so that the elapsed part is unknown.
   */
  private static OptionalLong leftMillis(HappeningLog.Entry entry, Instant now) {
    OptionalLong forMillis = entry.happening().event().forMillis();
    return forMillis.isEmpty() || entry.happening().isRestored()
        ? OptionalLong.empty()
        : OptionalLong.of(
            Duration.between(now, entry.at().plusMillis(forMillis.getAsLong())).toMillis());
  }

  private static long ceilSeconds(long millis) {
    return (millis + 999) / 1000;
  }

  /**
   * Reads a log.
   *
   * @throws UsageException if a line is not an entry of the log
   */
  static List<HappeningLog.Entry> read(List<String> lines, String name) {
    return lines.stream().filter(line -> !line.isBlank()).map(line -> entry(line, name)).toList();
  }

  private static HappeningLog.Entry entry(String line, String name) {
    try {
      return HappeningLog.read(line);
    } catch (InvalidEventException e) {
      throw new UsageException(name + ": not a log of applied events: " + e.getMessage(), e);
    }
  }

  private List<String> lines() {
    if (file != null) {
      TopicFlags.refuseBeside("--log", command);
      return SendFlags.readLines("--log " + file, file);
    }
    KafkaTopic applied = topic.topic().applied();
    return BrokerWait.answer(applied, () -> KafkaTopics.read(applied));
  }
}
