package dev.braid.exchange;

/**
 * How far a replica lags behind, from which a gradient is computed: how many gradients of another
 * rank are not in it, that would be if all ranks kept step.
 *
 * @param mean over the other ranks that this one hears from, and over the model
 * @param worst of them, for the part of the model that lags most
 */
public record Staleness(double mean, long worst) {

  /** A fifth of what delay by itself asks for: it is spread, and not all of a step is late. */
  public static final double DEFAULT_DAMPING = 0.25;

  /** As where ranks wait for each other in every round. */
  public static final Staleness NONE = new Staleness(0, 0);

  /**
   * What part of a step a gradient should make that is computed from weights so stale: 1/(1 +
   * damping · mean). Descent along gradients that are τ steps late is stable up to a step of 2
   * sin(π/(2(2τ + 1)))/λ, where λ is the largest curvature: about 1/(1 + 1.27 τ) of what it may be
   * without delay (Levin and May, "A note on difference-delay equations", 1976).
   */
  double stepFraction(double damping) {
    return 1 / (1 + damping * mean);
  }
}
