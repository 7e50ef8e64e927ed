package dev.braid.worker.report;

/**
 * Where a round's time went, in nanoseconds.
 *
 * @param gradient computing the rank's own gradient
 * @param exchange from the gradient to the end of the round
 * @param waiting the rest: for a batch, for the exchange's leave, for a checkpoint
 */
public record RoundTimes(long gradient, long exchange, long waiting) {

  /** The whole round. */
  public long total() {
    return gradient + exchange + waiting;
  }
}
