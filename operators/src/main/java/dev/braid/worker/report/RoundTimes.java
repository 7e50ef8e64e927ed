package dev.braid.worker.report;

/**
 * The parts of a round's time, in nanoseconds.
 *
 * @param gradient time to compute the rank's own gradient
 * @param exchange time from the gradient to the end of the round
 * @param waiting the rest: waiting for a batch, for permission of the exchange, or for a checkpoint
 */
public record RoundTimes(long gradient, long exchange, long waiting) {

  /** Returns the time of the whole round, in nanoseconds. */
  public long total() {
    return gradient + exchange + waiting;
  }
}
