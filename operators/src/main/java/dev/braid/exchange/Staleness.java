package dev.braid.exchange;

/**
 * How far a replica lags behind, from which a gradient is computed: how many gradients of another
 * rank are not in it, that would be if all ranks kept step.
 *
 * @param mean over the other ranks that this one hears from, and over the model
 * @param worst of them, for the part of the model that lags most
 */
public record Staleness(double mean, long worst) {

  /** As where ranks wait for each other in every round. */
  public static final Staleness NONE = new Staleness(0, 0);
}
