package dev.braid.job.chaos;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventReader;
import dev.braid.chaos.event.Happening;
import dev.braid.chaos.event.HappeningLog;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command {@code braid chaos replay}: sends the events of a file again. */
@Command(
    name = "replay",
    description =
        "Sends the events of a file. From a log of applied events, it sends each event "
            + "for the round in which the event took effect.",
    sortOptions = false)
public final class ChaosReplay implements Callable<Integer> {

  private final Terminal terminal;

  @Parameters(
      paramLabel = "FILE",
      description = "File of events, one per line, or the log out/chaos-applied.jsonl of a run.")
  private Path file;

  @Mixin private final SendFlags send = new SendFlags();

  public ChaosReplay(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    List<String> lines = lines();
    boolean log = !lines.isEmpty() && lines.get(0).contains("\"outcome\"");
    List<ChaosEvent> events = log ? applied(lines) : events(lines);
    if (events.isEmpty()) {
      throw new UsageException(
          "replay " + file + (log ? ": no event in it took effect" : ": has no event"));
    }
    terminal.print(send.send(events));
    return ExitCodes.OK;
  }

  private List<String> lines() {
    return SendFlags.readLines("replay " + file, file).stream()
        .filter(line -> !line.isBlank())
        .toList();
  }

  /**
   * Returns the applied events of a log. After a failure of its run, a log repeats lines; the first
   * one counts. Events that used the same id one after the other would wait at the same time in a
   * replay; only the first of them keeps the id.
   */
  private List<ChaosEvent> applied(List<String> lines) {
    Set<List<String>> known = new HashSet<>();
    Set<Optional<String>> ids = new HashSet<>();
    List<ChaosEvent> applied = new ArrayList<>();
    for (HappeningLog.Entry entry : ChaosStatus.read(lines, "replay " + file)) {
      ChaosEvent event = entry.replay();
      // A log of several runs may have events of different streams with the same position.
      boolean isNew =
          entry.happening().outcome() == Happening.Outcome.APPLIED
              && known.add(List.of(event.key(), event.id().orElse("")));
      if (isNew) {
        applied.add(ids.add(event.id()) ? event : event.withoutId());
      }
    }
    return applied;
  }

  private List<ChaosEvent> events(List<String> lines) {
    List<ChaosEvent> events = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      try {
        events.add(EventReader.read(lines.get(i)));
      } catch (InvalidEventException e) {
        throw new UsageException("replay " + file + ": line " + (i + 1) + ": " + e.getMessage(), e);
      }
    }
    return events;
  }
}
