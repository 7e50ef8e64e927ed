package dev.braid.chaos.sim.random;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.sim.Disturbances;
import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.Stalls;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** Draws the features, disturbances and events of a random run, as far as its choice has them. */
final class RunDraws {

  private static final long NANOS_PER_MILLI = 1_000_000;

  // Small runs are cheap, and most mistakes need few ranks and rounds.
  private static final int FEW_RANKS = 4;
  private static final int MAX_RANKS = 16;
  private static final int MAX_CHECKPOINTS = 5;
  private static final int MAX_CRASHES = 4;

  /** Interval with which a checkpoint begins as soon as the previous one is over. */
  private static final long NO_PAUSE_NANOS = 1;

  /** Greatest pause of a rank, so short that other ranks wait for it. */
  private static final long MAX_PAUSE_NANOS = 50 * NANOS_PER_MILLI;

  /** Greatest pause of a rank in runs in which other ranks may continue without it. */
  private static final long MAX_LONG_PAUSE_NANOS = 2_000 * NANOS_PER_MILLI;

  private final RunChoice choice;
  private final boolean isParted;
  private final Set<Feature> features;

  /** Numbers of the events that the run has, of those that are drawn. */
  private final SortedSet<Integer> chosen = new TreeSet<>();

  private int drawn;

  /**
   * Creates the draws of a run.
   *
   * @param isParted whether all links of some ranks are cut for seconds
   */
  RunDraws(RunChoice choice, boolean isParted) {
    this.choice = choice;
    this.isParted = isParted;
    this.features = choice.features();
  }

  Set<Feature> features() {
    return features;
  }

  boolean has(Feature feature) {
    return features.contains(feature);
  }

  /** Returns the greatest number of ranks in runs of most kinds. */
  int mostRanks() {
    return has(Feature.MANY_RANKS) ? MAX_RANKS : FEW_RANKS;
  }

  /** Numbers drawn faults, and returns those that the run has. */
  List<ChaosEvent> faults(List<ChaosEvent> schedule) {
    return schedule.stream()
        .filter(event -> choose(isParted || has(Feature.of(event.action()))))
        .toList();
  }

  /**
   * Numbers drawn checkpoints and crashes, and returns what adds them, other disturbances and
   * pauses to a simulation.
   */
  UnaryOperator<Simulation.Builder> disturb() {
    long[] checkpoints = moments(Feature.CHECKPOINTS, MAX_CHECKPOINTS);
    long[] crashes = moments(Feature.CRASHES, MAX_CRASHES);
    return builder ->
        builder
            .checkpointsAfterEvents(checkpoints)
            .crashesAfterEvents(crashes)
            .checkpointEveryNanos(has(Feature.CHECKPOINTS_WITHOUT_PAUSE) ? NO_PAUSE_NANOS : 0)
            .disturbances(disturbances())
            .stalls(pauses());
  }

  /**
   * Returns the moments of events of a feature, as numbers of events of all orders of magnitude;
   * those beyond the end of the run have no effect.
   */
  long[] moments(Feature feature, int most) {
    SplittableRandom random = feature.random(choice.seed());
    int count = random.nextInt(1, most + 1);
    return random
        .longs(count, 0, 1L << random.nextInt(6, isParted ? 16 : 12))
        .filter(moment -> choose(has(feature)))
        .toArray();
  }

  /** Returns the rates of the features. */
  Disturbances disturbances() {
    Disturbances all = Disturbances.USUAL;
    for (Feature feature : Feature.values()) {
      if (feature.rate().isPresent()) {
        all = all.with(feature.rate().get(), has(feature) ? feature.drawRate(choice.seed()) : 0);
      }
    }
    return all;
  }

  private Stalls pauses() {
    if (!has(Feature.PAUSE)) {
      return Stalls.NONE;
    }
    long most = isParted ? MAX_LONG_PAUSE_NANOS : MAX_PAUSE_NANOS;
    long greatest = Seeds.between(Feature.PAUSE.random(choice.seed()), 1, most);
    return Stalls.random(choice.seed(), 2 * most, greatest);
  }

  /** Numbers a drawn event, and returns whether the run has it. */
  private boolean choose(boolean hasFeature) {
    int number = drawn++;
    boolean isChosen = hasFeature && choice.has(number);
    if (isChosen) {
      chosen.add(number);
    }
    return isChosen;
  }

  /** Returns the numbers of the events that the run has, of those that are drawn. */
  SortedSet<Integer> chosen() {
    return chosen;
  }
}
