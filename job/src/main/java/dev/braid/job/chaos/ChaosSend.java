package dev.braid.job.chaos;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventReader;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.chaos.event.Limits;
import dev.braid.chaos.event.Target;
import dev.braid.connectors.file.Texts;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.topology.Mesh;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command {@code braid chaos send}: sends events given on the command line. */
@Command(
    name = "send",
    sortOptions = false,
    description = {
      "Sends one event, or several, each in quotes. An event says what to do, to "
          + "which links or ranks, when, and for how long: ACTION TARGET [WHEN] [for TIME] "
          + "[id NAME].",
      "",
      "Actions on links: cut, heal, delay by TIME [jitter TIME], drop probability P, "
          + "duplicate probability P, reorder probability P within TIME, corrupt "
          + "probability P, throttle bytes-per-second N. Actions on ranks: straggle factor "
          + "K, isolate, rejoin.",
      "",
      "Targets are a link, such as 'cut 3 1' (with one-way: only messages from the "
          + "first rank to the second), or all links of a rank, such as 'cut 4'. Other "
          + "targets: level N of the binary tree; random N seed N [among tree|all]; block "
          + "2,4+2x2 of 4x8 (ranks of a mesh: first row and column, then rows x columns); "
          + "places 0,1-0,2 of 4x8 (a link of a mesh).",
      "",
      "WHEN is the start: at-round N, or after TIME. TIME in 'for TIME' is the "
          + "duration, such as 5s.",
      ""
    })
public final class ChaosSend implements Callable<Integer> {

  private final Terminal terminal;

  @Parameters(
      paramLabel = "EVENT",
      arity = "1..*",
      description = "Event, such as 'cut 3 1 for 5s'.")
  private List<String> words;

  @Mixin private final SendFlags send = new SendFlags();

  public ChaosSend(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException, InvalidEventException {
    List<ChaosEvent> events = new ArrayList<>();
    for (String typed : typed()) {
      events.add(read(typed));
    }
    terminal.print(send.send(events));
    for (ChaosEvent event : events) {
      partsWithoutBlock(event).ifPresent(terminal::print);
    }
    return ExitCodes.OK;
  }

  /** Returns the events as typed; words without quotes form a single event. */
  private List<String> typed() {
    boolean areQuoted = words.stream().anyMatch(word -> word.contains(" "));
    return areQuoted ? words : List.of(String.join(" ", words));
  }

  private static ChaosEvent read(String typed) {
    try {
      ChaosEvent event = EventReader.read(typed);
      event.checkFor(Limits.RANKS);
      return event;
    } catch (InvalidEventException e) {
      throw new UsageException("'" + Texts.shorten(typed) + "': " + e.getMessage(), e);
    }
  }

  /** Returns a warning if the mesh is disconnected without the block. */
  private static Optional<String> partsWithoutBlock(ChaosEvent event) throws InvalidEventException {
    boolean cutsOff =
        event.action() instanceof Action.Isolate || event.action() instanceof Action.Cut;
    if (!cutsOff || !(event.target() instanceof Target.OfBlock of)) {
      return Optional.empty();
    }
    Mesh mesh = of.mesh();
    int[] cutOff = of.ranks().stream().mapToInt(rank -> rank).toArray();
    if (cutOff.length == mesh.ranks()) {
      return Optional.of(
          "block covers the whole mesh of " + mesh + ": no worker would be left to train");
    }
    List<int[]> parts = mesh.without(cutOff).parts();
    return parts.size() == 1
        ? Optional.empty()
        : Optional.of(
            ("without this block, a mesh of %s falls into %d parts of %s workers: only the "
                    + "largest part continues, or of equal parts the one with the lowest rank")
                .formatted(
                    mesh,
                    parts.size(),
                    parts.stream()
                        .map(part -> String.valueOf(part.length))
                        .collect(Collectors.joining(", "))));
  }
}
