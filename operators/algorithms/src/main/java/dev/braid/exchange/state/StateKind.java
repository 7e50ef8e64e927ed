package dev.braid.exchange.state;

/**
 * A kind of state of an exchange that outlives a round, at each of its ranks. A checkpoint stores
 * it under its name.
 *
 * @param name unique name among the states of the exchange
 * @param version version of the serialised form, incremented with each change of that form
 * @param rescaling how the state is processed for another number of ranks
 */
public record StateKind(String name, int version, Rescaling rescaling) {

  /** How a run with another number of ranks derives its states from those of the previous ranks. */
  public enum Rescaling {
    /** Drops the state, which is specific to those ranks, as clocks are; ranks begin without it. */
    DROP,
    /** Keeps the state of each rank number; a new rank begins without state. */
    KEEP,
    /**
     * Copies the state of any rank that has the current model, because it is the same at all of
     * them. With the same number of ranks, a rank that was excluded gets such a copy, too.
     */
    COPY,
    /**
     * Preserves the sum of a {@linkplain StateVectors vector} over all workers, as residuals
     * require: the vectors of removed workers are added to those of others.
     */
    SUM,
    /** Gives all workers the mean of a {@linkplain StateVectors vector}. */
    MEAN
  }

  /** Returns whether the state is a {@linkplain StateVectors vector} of the model's length. */
  public boolean isVector() {
    return rescaling == Rescaling.SUM || rescaling == Rescaling.MEAN;
  }

  /** Returns a kind of state that is dropped for another number of ranks. */
  public static StateKind ofTheseRanks(String name, int version) {
    return new StateKind(name, version, Rescaling.DROP);
  }
}
