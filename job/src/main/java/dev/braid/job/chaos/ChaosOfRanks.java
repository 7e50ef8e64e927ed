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

/** Sends one event about ranks. The subclasses are the actions, with their parameters. */
public abstract class ChaosOfRanks extends ChaosSend {

  // A list, so that one rank too many is told in our own words.
  @Parameters(paramLabel = "[RANK]", hideParamSyntax = true, description = "The rank.")
  private List<Integer> ranks = List.of();

  ChaosOfRanks(Terminal terminal) {
    super(terminal);
  }

  @Override
  List<Integer> ranks() {
    return ranks;
  }

  /** What lasts. */
  abstract static class Fault extends ChaosOfRanks {

    @Mixin private final Lasting lasting = new Lasting();

    Fault(Terminal terminal) {
      super(terminal);
    }

    @Override
    Optional<Duration> duration() {
      return lasting.time();
    }
  }

  @Command(name = "straggle", description = "Makes a rank compute slowly.", sortOptions = false)
  public static final class Straggle extends Fault {

    @Option(
        names = "--factor",
        paramLabel = "K",
        required = true,
        description = "How many times slower, above 1 and at most 1000.")
    private Double factor;

    public Straggle(Terminal terminal) {
      super(terminal);
    }

    @Override
    Action action() {
      return new Action.Straggle(factor);
    }
  }

  @Command(name = "isolate", description = "Cuts all links of a rank.", sortOptions = false)
  public static final class Isolate extends Fault {
    public Isolate(Terminal terminal) {
      super(terminal);
    }

    @Override
    Action action() {
      return new Action.Isolate();
    }
  }

  @Command(
      name = "rejoin",
      description = "Ends isolation and straggling of a rank.",
      sortOptions = false)
  public static final class Rejoin extends ChaosOfRanks {
    public Rejoin(Terminal terminal) {
      super(terminal);
    }

    @Override
    Action action() {
      return new Action.Rejoin();
    }
  }
}
