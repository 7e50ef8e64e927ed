package dev.braid.job;

import dev.braid.chaos.event.EventWriter;
import dev.braid.chaos.event.Happening;
import dev.braid.chaos.event.HappeningLog;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.chaos.stream.BrokerAwayException;
import dev.braid.chaos.stream.KafkaTopics;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says what is in force, as the log of applied events has it. */
@Command(
    name = "status",
    description = "Says which faults are in force, from the log of applied events.",
    sortOptions = false)
final class ChaosStatus implements Callable<Integer> {

  private final Terminal terminal;

  @Spec private CommandSpec command;

  @Mixin private final TopicFlags topic = new TopicFlags();

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = {
        "Read this file instead, such as out/chaos-applied.jsonl.",
        "Default: TOPIC.applied"
      })
  private Path file;

  ChaosStatus(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Map<String, HappeningLog.Entry> inForce = new LinkedHashMap<>();
    List<HappeningLog.Entry> log = read(lines(), "the log");
    // A topic may have the lines of earlier runs, which did not live to end their faults.
    String run = log.isEmpty() ? "" : log.get(log.size() - 1).run();
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
    inForce.values().forEach(entry -> terminal.print(describe(entry)));
    if (inForce.isEmpty()) {
      terminal.print("nothing is in force");
    }
    return ExitCodes.OK;
  }

  private static String describe(HappeningLog.Entry entry) {
    return "since round "
        + entry.happening().round()
        + "  "
        + EventWriter.write(entry.happening().event());
  }

  /**
   * Reads a log.
   *
   * @throws UsageException for a line that is none
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
    try {
      return KafkaTopics.read(topic.topic().applied());
    } catch (BrokerAwayException e) {
      throw new UsageException(e.getMessage(), e);
    }
  }
}
