package dev.braid.loop;

import java.util.EnumMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * How long things take, in steps of a simulation. In each run each kind has a mean of its own, from
 * nothing to much longer than a round, and a few of a kind take far longer than its mean.
 */
public final class Durations {

  /** What takes time. */
  public enum Kind {
    BATCH,
    GRADIENT,
    EVALUATION,
    RESULT,
    EVENT,
    RESTORE
  }

  /** A round of two to six ranks has some tens to some hundreds of steps. */
  private static final int[] MEAN_STEPS = {0, 0, 10, 100, 1_000, 3_000};

  private final RandomGenerator random;
  private final Map<Kind, Integer> means = new EnumMap<>(Kind.class);

  Durations(RandomGenerator random) {
    this.random = random;
    for (Kind kind : Kind.values()) {
      means.put(kind, MEAN_STEPS[random.nextInt(MEAN_STEPS.length)]);
    }
  }

  /** One more of this kind; exponentially distributed. */
  long draw(Kind kind) {
    return Math.round(-means.get(kind) * Math.log1p(-random.nextDouble()));
  }

  @Override
  public String toString() {
    return means.toString();
  }
}
