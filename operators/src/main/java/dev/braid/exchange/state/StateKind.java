package dev.braid.exchange.state;

/**
 * What lasts of an exchange beyond a round, at each of its ranks. Checkpoints have it under its
 * name.
 *
 * @param name which no other state of the exchange has
 * @param version of the form in which it is written; goes up with each change of that
 * @param rescaling what becomes of it at another number of ranks
 */
public record StateKind(String name, int version, Rescaling rescaling) {

  /** What a run of other ranks than before makes of what each of those had. */
  public enum Rescaling {
    /** Nothing: it is of those ranks, as their clocks are, and the exchange begins anew. */
    DROP,
    /** A rank has what the rank of its number had; one that is new begins anew. */
    KEEP,
    /**
     * A {@linkplain StateVectors vector} of which the sum over all workers stays the same, as
     * residuals have to: those of workers that are no more are added to others'.
     */
    SUM,
    /** A {@linkplain StateVectors vector}: all workers have the mean. */
    MEAN
  }

  /** Whether it is a {@linkplain StateVectors vector} of the model's length. */
  public boolean isVector() {
    return rescaling == Rescaling.SUM || rescaling == Rescaling.MEAN;
  }

  /** One that other ranks cannot use. */
  public static StateKind ofTheseRanks(String name, int version) {
    return new StateKind(name, version, Rescaling.DROP);
  }
}
