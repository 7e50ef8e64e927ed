package dev.braid.job.chaos;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventReader;
import dev.braid.chaos.event.EventWriter;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.chaos.event.Limits;
import dev.braid.chaos.event.Link;
import dev.braid.chaos.event.Start;
import dev.braid.chaos.event.Target;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.Typed;
import dev.braid.job.console.UsageException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Sends one event, or one for each rank of a block. The subclasses are the actions, with their
 * parameters; what they have in common is here: a target, a start, a duration.
 */
abstract class ChaosSend implements Callable<Integer> {

  private static final Map<String, String> OPTIONS =
      Map.of(
          "probability", "--probability",
          "factor", "--factor",
          "bytesPerSecond", "--bytes-per-second");

  private final Terminal terminal;

  @Mixin private final SendFlags send = new SendFlags();
  @Mixin private final MeshFlags mesh = new MeshFlags();

  @Option(
      names = "--level",
      paramLabel = "N",
      description = "Instead of ranks: a level of the binary tree; the root's is 0.")
  private Integer level;

  @Option(
      names = "--random",
      paramLabel = "SEED",
      description = "Instead of ranks: links or ranks that are drawn with this seed.")
  private Long random;

  @Option(names = "--count", paramLabel = "N", description = "How many are drawn. Default: 1")
  private Integer count;

  @Option(
      names = "--at-round",
      paramLabel = "N",
      description = "Begin with this round. Default: now")
  private Long round;

  @Option(
      names = "--after",
      paramLabel = "TIME",
      description = "Begin when training has run this long, such as 5s. Default: now")
  private Duration after;

  ChaosSend(Terminal terminal) {
    this.terminal = terminal;
  }

  /** What to do. */
  abstract Action action();

  /** The ranks that are given. */
  abstract List<Integer> ranks();

  /** Whether only messages from the first rank to the second are meant. */
  boolean oneWay() {
    return false;
  }

  /** A link by its places in a mesh; where ranks are meant there is none. */
  Optional<String> meshLink() {
    return Optional.empty();
  }

  /** For how long; mends have none. */
  Optional<Duration> duration() {
    return Optional.empty();
  }

  @Override
  public Integer call() throws InterruptedException {
    List<ChaosEvent> events = targets().stream().map(this::event).toList();
    terminal.print(send.send(events));
    if (mesh.hasBlock() && (action() instanceof Action.Isolate || action() instanceof Action.Cut)) {
      mesh.partsWithoutBlock().ifPresent(terminal::print);
    }
    return ExitCodes.OK;
  }

  private ChaosEvent event(Target target) {
    ChaosEvent event = ChaosEvent.of(action(), target).withStart(start());
    if (duration().isPresent()) {
      event = event.withDuration(millis("--for", duration().get(), 1));
    }
    return checked(event);
  }

  /**
   * A time in milliseconds, as events have it.
   *
   * @throws UsageException if it is less than this, or more than an event may say
   */
  static long millis(String option, Duration time, long least) {
    if (time.toMillis() < least || time.toMillis() > Limits.MILLIS) {
      throw new UsageException(
          "%s %s: %dms to %s is possible"
              .formatted(
                  option, Typed.time(time), least, Typed.time(Duration.ofMillis(Limits.MILLIS))));
    }
    return time.toMillis();
  }

  /** Numbers out of range have the same messages here and in a run. */
  private static ChaosEvent checked(ChaosEvent event) {
    try {
      ChaosEvent read = EventReader.read(EventWriter.write(event).getBytes(StandardCharsets.UTF_8));
      read.checkFor(Limits.RANKS);
      return read;
    } catch (InvalidEventException e) {
      throw new UsageException(typed(e.getMessage()), e);
    }
  }

  /** A field of an event by the option that it was typed as. */
  private static String typed(String mistake) {
    String field = mistake.split(" ", 2)[0];
    String option = OPTIONS.get(field);
    return option == null ? mistake : option + mistake.substring(field.length());
  }

  /** What is meant, of which each has an event of its own. */
  private List<Target> targets() {
    requireOneTarget();
    if (mesh.hasBlock()) {
      return mesh.block();
    }
    if (meshLink().isPresent()) {
      return List.of(mesh.link(meshLink().get(), oneWay()));
    }
    mesh.refuseMeshAlone(action().concernsRanks() ? "--block" : "--block or --mesh-link");
    return List.of(target());
  }

  private void requireOneTarget() {
    long given =
        Stream.of(
                !ranks().isEmpty(),
                level != null,
                random != null,
                mesh.hasBlock(),
                meshLink().isPresent())
            .filter(is -> is)
            .count();
    if (given != 1) {
      throw new UsageException(
          action().title()
              + ": "
              + (action().concernsRanks() ? "a rank" : "two ranks, a rank")
              + ", --level, --random"
              + (action().concernsRanks() ? "" : ", --mesh-link")
              + " or --block is needed, and only one of them");
    }
    if (oneWay() && ranks().isEmpty() && meshLink().isEmpty()) {
      throw new UsageException("--one-way: two ranks are needed");
    }
    if (count != null && random == null) {
      throw new UsageException("--count " + count + ": only with --random");
    }
  }

  private Target target() {
    if (level != null) {
      return new Target.OfLevel(level);
    }
    if (random != null) {
      return new Target.Drawn(random, count == null ? 1 : count, Optional.empty());
    }
    return ofRanks();
  }

  private Target ofRanks() {
    List<Integer> ranks = ranks();
    if (ranks.size() > 2) {
      throw new UsageException(
          ranks.stream()
              .map(String::valueOf)
              .collect(
                  Collectors.joining(
                      " ", action().title() + " ", ": two ranks at most are possible")));
    }
    if (ranks.size() == 1) {
      if (oneWay()) {
        throw new UsageException("--one-way: two ranks are needed");
      }
      return new Target.OfRank(ranks.get(0));
    }
    if (action().concernsRanks()) {
      throw new UsageException(action().title() + ": one rank is needed");
    }
    try {
      return new Target.OfLink(new Link(ranks.get(0), ranks.get(1)), oneWay());
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage(), e);
    }
  }

  private Start start() {
    if (round != null && after != null) {
      throw new UsageException("--at-round and --after: only one of them is possible");
    }
    if (round != null) {
      return new Start.AtRound(round);
    }
    return after == null ? new Start.Now() : new Start.After(millis("--after", after, 0));
  }

  /** What lasts. */
  static final class Lasting {

    @Option(
        names = "--for",
        paramLabel = "TIME",
        description = "How long it lasts, such as 5s. Default: until it is mended")
    private Duration time;

    Optional<Duration> time() {
      return Optional.ofNullable(time);
    }
  }
}
