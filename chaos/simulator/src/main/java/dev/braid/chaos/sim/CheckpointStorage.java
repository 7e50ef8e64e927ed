package dev.braid.chaos.sim;

import dev.braid.chaos.sim.Disturbances.Rate;
import dev.braid.chaos.sim.condition.Seeds;
import java.util.SplittableRandom;

/** Storage that ranks write their parts of a checkpoint to, which may be slow or fail. */
final class CheckpointStorage {

  /** Greatest time of a slow write, which is longer than a checkpoint may take. */
  private static final long MAX_SLOW_WRITE_NANOS = 3_000_000_000L;

  private final Disturbances disturbances;
  private final SplittableRandom random;

  CheckpointStorage(Disturbances disturbances, SplittableRandom random) {
    this.disturbances = disturbances;
    this.random = random;
  }

  /** Returns the duration of the next write, in nanoseconds. */
  long writeNanos() {
    // All orders of magnitude: most slow writes still end in time.
    return disturbances.occurs(Rate.SLOW_WRITES, random)
        ? Seeds.between(random, 0, MAX_SLOW_WRITE_NANOS >> random.nextInt(12))
        : 0;
  }

  /** Returns whether the next write fails. */
  boolean fails() {
    return disturbances.occurs(Rate.FAILED_WRITES, random);
  }
}
