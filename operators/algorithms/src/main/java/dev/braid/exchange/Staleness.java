package dev.braid.exchange;

/**
 * Staleness of a replica from which a gradient is computed: the number of another rank's gradients
 * that it lacks and would contain if all ranks kept step.
 *
 * @param mean mean over the other ranks that this rank hears from and over the model
 * @param worst maximum over those ranks, for the part of the model that lags most
 */
public record Staleness(double mean, long worst) {

  /** Staleness of a synchronous exchange, in which ranks wait for each other in every round. */
  public static final Staleness NONE = new Staleness(0, 0);
}
