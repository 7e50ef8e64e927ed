package dev.braid.chaos.sim.random;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.sim.Disturbances.Rate;
import dev.braid.chaos.sim.condition.Seeds;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * A feature that a random run has or lacks. A run with few features goes deeper into them than one
 * that has all: a fault that ends runs early hides what others would show later. Each seed
 * therefore draws a subset, and the rate of each feature in it.
 */
enum Feature {
  // Faults of links and ranks, with the names of their actions.
  CUT(0.5),
  DROP(0.5),
  CORRUPT(0.5),
  DUPLICATE(0.5),
  REORDER(0.5),
  DELAY(0.5),
  THROTTLE(0.5),
  STRAGGLE(0.5),
  /** Ranks stand still for a time, and then do everything at once. */
  PAUSE(0.3),
  CLOCK_DRIFT(0.3, Rate.CLOCK_DRIFT, 0.1),

  /** Checkpoints at drawn moments. */
  CHECKPOINTS(0.5),
  /** Each checkpoint begins when the previous one is over. */
  CHECKPOINTS_WITHOUT_PAUSE(0.15),
  ABORTS(0.3, Rate.ABORTS, 1),
  SLOW_BARRIERS(0.2, Rate.SLOW_BARRIERS, 0.2),
  SLOW_WRITES(0.2, Rate.SLOW_WRITES, 0.5),
  FAILED_WRITES(0.2, Rate.FAILED_WRITES, 0.3),
  STOPS(0.5, Rate.STOPS, 1),

  /** All ranks crash at drawn moments. */
  CRASHES(0.3),
  CHECKPOINT_CRASHES(0.2, Rate.CRASHES, 1),
  LOST_COMPLETIONS(0.2, Rate.LOST_COMPLETIONS, 0.5),
  OTHER_JOB_MANAGERS(0.5, Rate.OTHER_JOB_MANAGERS, 1),
  SLOW_RESTORES(0.2, Rate.SLOW_RESTORES, 0.5),
  SLOW_PROBES(0.3, Rate.SLOW_PROBES, 0.02),

  EPOCHS(0.6),
  /** Training stops after the second of three epochs. */
  EARLY_STOP(0.5),
  SLOW_EVALUATIONS(0.5),

  /** Drawn options of the exchange, instead of the same in all runs of a kind. */
  OPTIONS(0.75),
  /** Gradients whose sums depend on the order, if all orders must give the same bits. */
  REALS(0.3),
  CHUNKS(0.5),
  /** Resuming with another number of workers. */
  RESCALE(0.7, Rate.RESCALES, 1),
  /** Resuming under another exchange. */
  OTHER_EXCHANGE(0.7),

  // Features of runs from a topic.

  /** All readers of a topic crash at drawn moments, and the enumerator continues. */
  READER_CRASHES(0.3),
  LOST_LOOKS(0.3, Rate.LOST_LOOKS, 0.3),
  ADDED_PARTITIONS(0.3, Rate.ADDED_PARTITIONS, 0.2),
  IDLE_PARTITIONS(0.3, Rate.IDLE_PARTITIONS, 0.2),
  RETENTION(0.2, Rate.RETENTION, 0.1),
  /** Versions of the model are published, and a scoring job follows them. */
  VERSIONS(0.4),
  FAILED_REQUESTS(0.4, Rate.FAILED_REQUESTS, 0.05),

  MANY_ROUNDS(0.125),
  MANY_RANKS(0.0625);

  private final double share;
  private final Optional<Rate> rate;
  private final double greatest;

  Feature(double share) {
    this(share, Optional.empty(), 0);
  }

  Feature(double share, Rate rate, double greatest) {
    this(share, Optional.of(rate), greatest);
  }

  Feature(double share, Optional<Rate> rate, double greatest) {
    this.share = share;
    this.rate = rate;
    this.greatest = greatest;
  }

  /** Returns the features of a seed. */
  static Set<Feature> draw(long seed) {
    Set<Feature> drawn = EnumSet.noneOf(Feature.class);
    for (Feature feature : values()) {
      if (feature.random(seed, -32).nextDouble() < feature.share) {
        drawn.add(feature);
      }
    }
    return drawn;
  }

  /** Returns the feature of this name; empty if there is none. */
  static Optional<Feature> of(String title) {
    return Stream.of(values()).filter(feature -> feature.title().equals(title)).findFirst();
  }

  /** Returns the feature to which a fault belongs. */
  static Feature of(Action action) {
    return of(action.title()).orElseThrow();
  }

  /** Returns the rate that the feature changes; empty if it changes none. */
  Optional<Rate> rate() {
    return rate;
  }

  /** Draws the rate that the feature has in the run of a seed. */
  double drawRate(long seed) {
    return greatest * random(seed).nextDouble();
  }

  /** Returns a source for the feature's draws, which do not depend on other features. */
  SplittableRandom random(long seed) {
    return random(seed, -33);
  }

  private SplittableRandom random(long seed, int purpose) {
    // Not the position, so that another feature does not change the draws.
    return Seeds.of(seed, purpose, name().hashCode());
  }

  /** Returns the name on the command line. */
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
