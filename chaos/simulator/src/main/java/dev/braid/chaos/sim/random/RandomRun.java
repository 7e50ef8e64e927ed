package dev.braid.chaos.sim.random;

import dev.braid.chaos.event.EventWriter;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.SimulationFailure;
import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.condition.Epochs;
import java.util.Arrays;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** One run of the random search, drawn from its seed. */
abstract class RandomRun {

  final RunChoice choice;
  final long seed;
  final FaultRunKind kind;
  final RunDraws draws;

  RandomRun(RunChoice choice, FaultRunKind kind) {
    this.choice = choice;
    this.seed = choice.seed();
    this.kind = kind;
    this.draws = new RunDraws(choice, kind.isParted());
  }

  /** Returns the run of a choice, not executed. */
  static RandomRun of(RunChoice choice) {
    return switch (kindOf(choice)) {
      case RESCALED -> new RescaledRun(choice);
      case STREAM -> new RandomStreamRun(choice);
      default -> new RandomFaultRun(choice);
    };
  }

  /** Returns the chosen kind, or the drawn one. */
  static FaultRunKind kindOf(RunChoice choice) {
    return choice.kind().orElseGet(() -> FaultRunKind.draw(choice.seed()));
  }

  FaultRunKind kind() {
    return kind;
  }

  /** Returns the numbers of the events that the run has, of those that are drawn. */
  SortedSet<Integer> chosen() {
    return draws.chosen();
  }

  boolean has(Feature feature) {
    return draws.has(feature);
  }

  /** Returns the number of ranks that the choice may reduce. */
  abstract int ranks();

  /**
   * Executes the run, and checks its result.
   *
   * @throws SimulationFailure if anything is wrong
   */
  abstract SimulationResult.Summary run();

  /** Executes the run, and returns what is wrong; empty if nothing is. */
  Optional<String> failure() {
    try {
      run();
      return Optional.empty();
    } catch (SimulationFailure e) {
      return Optional.of(e.getMessage());
    } catch (RuntimeException | AssertionError e) {
      return Optional.of(e.toString());
    }
  }

  /** Returns the conditions and events of a simulation as text, from which it can be rebuilt. */
  static String describe(Simulation simulation) {
    return "%d ranks, %d elements in chunks of %d, %d rounds%s%s%s%s"
        .formatted(
            simulation.ranks(),
            simulation.length(),
            simulation.chunkLength(),
            simulation.rounds(),
            epochs(simulation.epochs()),
            simulation.faults().stream()
                .map(event -> "\n  " + EventWriter.write(event))
                .collect(Collectors.joining()),
            moments("\n  checkpoints after events ", simulation.checkpointsAfterEvents()),
            moments("\n  crashes after events ", simulation.crashesAfterEvents()));
  }

  private static String epochs(Epochs epochs) {
    if (!epochs.areThere()) {
      return " without epochs";
    }
    String end = epochs.mayStop() ? ", until epoch " + epochs.stopsAfter() : "";
    return " in epochs of " + epochs.rounds() + end;
  }

  private static String moments(String title, long[] moments) {
    return moments.length == 0 ? "" : title + Arrays.toString(moments);
  }

  /** Returns the command, features, conditions and events of the run. */
  String describe(String conditions) {
    return "%s%n  features: %s%n  %s: %s"
        .formatted(
            choice,
            draws.features().stream().map(Feature::title).collect(Collectors.joining(", ")),
            kind.title(),
            conditions);
  }
}
