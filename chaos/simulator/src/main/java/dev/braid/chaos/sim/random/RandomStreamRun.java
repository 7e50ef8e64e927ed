package dev.braid.chaos.sim.random;

import dev.braid.chaos.sim.SimulationResult;
import dev.braid.chaos.sim.stream.SimulatedStream;
import dev.braid.chaos.sim.stream.StreamMistake;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A run from a topic under faults. It must use each offset once, in a deal that the lineage has,
 * whatever crashes. Versions of its model are those of the lineage.
 */
final class RandomStreamRun extends RandomRun {

  private static final int MOST_WORKERS = 4;
  private static final int MOST_CRASHES = 8;

  private final SimulatedStream.Faults faults;
  private final Optional<StreamMistake> mistake;

  RandomStreamRun(RunChoice choice) {
    this(choice, Optional.empty());
  }

  /** Creates a run that makes a mistake, to test the search. */
  RandomStreamRun(RunChoice choice, Optional<StreamMistake> mistake) {
    super(choice, FaultRunKind.STREAM);
    this.mistake = mistake;
    this.faults =
        new SimulatedStream.Faults(
            draws.disturbances(),
            moments(Feature.CRASHES),
            moments(Feature.READER_CRASHES),
            has(Feature.VERSIONS));
  }

  private Set<Long> moments(Feature feature) {
    return Arrays.stream(draws.moments(feature, MOST_CRASHES))
        .boxed()
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  int ranks() {
    return choice.ranks().orElse(MOST_WORKERS);
  }

  @Override
  SimulationResult.Summary run() {
    return new SimulatedStream(seed, ranks(), faults, mistake).run();
  }

  @Override
  public String toString() {
    return describe(
        "at most %d workers%n  crashes after events %s, of readers after events %s"
            .formatted(ranks(), faults.crashes(), faults.readerCrashes()));
  }
}
