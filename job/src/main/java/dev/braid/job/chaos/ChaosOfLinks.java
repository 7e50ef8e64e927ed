package dev.braid.job.chaos;

import dev.braid.chaos.event.Action;
import dev.braid.job.console.Terminal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sends one event about links. The subclasses are the actions, with their parameters. */
public abstract class ChaosOfLinks extends ChaosSend {

  @Parameters(paramLabel = "RANK", description = "The two ranks of a link, or one for all of its.")
  private List<Integer> ranks = List.of();

  @Option(
      names = "--one-way",
      description = "Only messages from the first rank to the second. Default: both ways")
  private boolean oneWay;

  @Mixin private final MeshFlags.LinkFlag meshLink = new MeshFlags.LinkFlag();

  ChaosOfLinks(Terminal terminal) {
    super(terminal);
  }

  @Override
  List<Integer> ranks() {
    return ranks;
  }

  @Override
  boolean oneWay() {
    return oneWay;
  }

  @Override
  Optional<String> meshLink() {
    return meshLink.typed();
  }

  /** What lasts. */
  abstract static class Fault extends ChaosOfLinks {

    @Mixin private final Lasting lasting = new Lasting();

    Fault(Terminal terminal) {
      super(terminal);
    }

    @Override
    Optional<Duration> duration() {
      return lasting.time();
    }
  }

  @Command(name = "cut", description = "Loses every message of a link.", sortOptions = false)
  public static final class Cut extends Fault {
    public Cut(Terminal terminal) {
      super(terminal);
    }

    @Override
    Action action() {
      return new Action.Cut();
    }
  }

  @Command(name = "heal", description = "Ends all faults of a link.", sortOptions = false)
  public static final class Heal extends ChaosOfLinks {
    public Heal(Terminal terminal) {
      super(terminal);
    }

    @Override
    Action action() {
      return new Action.Heal();
    }
  }

  @Command(name = "delay", description = "Makes messages late.", sortOptions = false)
  public static final class Delay extends Fault {

    @Option(names = "--by", paramLabel = "TIME", required = true, description = "How late.")
    private Duration by;

    @Option(
        names = "--jitter",
        paramLabel = "TIME",
        defaultValue = "0ms",
        description = "How much later at most. Default: ${DEFAULT-VALUE}")
    private Duration jitter;

    public Delay(Terminal terminal) {
      super(terminal);
    }

    @Override
    Action action() {
      long jitterMillis = millis("--jitter", jitter, 0);
      // A delay may be all jitter, but not nothing at all.
      return new Action.Delay(millis("--by", by, jitterMillis > 0 ? 0 : 1), jitterMillis);
    }
  }

  /** What happens to some messages. */
  abstract static class Sometimes extends Fault {

    @Option(
        names = "--probability",
        paramLabel = "P",
        required = true,
        description = "Of each message, above 0 and at most 1.")
    private Double probability;

    Sometimes(Terminal terminal) {
      super(terminal);
    }

    double probability() {
      return probability;
    }
  }

  @Command(name = "drop", description = "Loses some messages.", sortOptions = false)
  public static final class Drop extends Sometimes {
    public Drop(Terminal terminal) {
      super(terminal);
    }

    @Override
    Action action() {
      return new Action.Drop(probability());
    }
  }

  @Command(name = "duplicate", description = "Delivers some messages twice.", sortOptions = false)
  public static final class Duplicate extends Sometimes {
    public Duplicate(Terminal terminal) {
      super(terminal);
    }

    @Override
    Action action() {
      return new Action.Duplicate(probability());
    }
  }

  @Command(name = "corrupt", description = "Flips bits of some messages.", sortOptions = false)
  public static final class Corrupt extends Sometimes {
    public Corrupt(Terminal terminal) {
      super(terminal);
    }

    @Override
    Action action() {
      return new Action.Corrupt(probability());
    }
  }

  @Command(name = "reorder", description = "Lets messages overtake some.", sortOptions = false)
  public static final class Reorder extends Sometimes {

    @Option(
        names = "--within",
        paramLabel = "TIME",
        required = true,
        description = "How long a message is held back at most.")
    private Duration within;

    public Reorder(Terminal terminal) {
      super(terminal);
    }

    @Override
    Action action() {
      return new Action.Reorder(probability(), millis("--within", within, 1));
    }
  }

  @Command(name = "throttle", description = "Bounds what a link carries.", sortOptions = false)
  public static final class Throttle extends Fault {

    @Option(
        names = "--bytes-per-second",
        paramLabel = "N",
        required = true,
        description = "Bytes a second.")
    private long bytesPerSecond;

    public Throttle(Terminal terminal) {
      super(terminal);
    }

    @Override
    Action action() {
      return new Action.Throttle(bytesPerSecond);
    }
  }
}
