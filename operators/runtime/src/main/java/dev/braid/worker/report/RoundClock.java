package dev.braid.worker.report;

import java.util.function.LongSupplier;

/** Measures how a rank's rounds spend their time. */
public final class RoundClock {

  /**
   * The parts of a round's time, in nanoseconds.
   *
   * @param gradient time to compute the rank's own gradient
   * @param exchange time from the gradient to the end of the round
   * @param waiting the rest: waiting for a batch, for permission of the exchange, or for a
   *     checkpoint
   */
  public record RoundTimes(long gradient, long exchange, long waiting) {

    /** Returns the time of the whole round, in nanoseconds. */
    public long total() {
      return gradient + exchange + waiting;
    }
  }

  private final LongSupplier nowNanos;
  private long roundBeganNanos;
  private long contributedNanos;
  private long frozenNanos;

  /** Creates the clock; the first round begins. */
  public RoundClock(LongSupplier nowNanos) {
    this.nowNanos = nowNanos;
    roundBegins();
  }

  /** Begins a round: the time before belongs to no round. */
  public void roundBegins() {
    roundBeganNanos = nowNanos.getAsLong();
  }

  /** Marks the time at which the round's gradient is contributed. */
  public void contributed() {
    contributedNanos = nowNanos.getAsLong();
  }

  /**
   * Returns the times of the round that ends at this moment, and begins the next one.
   *
   * @param gradientNanos computing time of the round's gradient, in nanoseconds
   */
  public RoundTimes roundDone(long gradientNanos) {
    long before = roundBeganNanos;
    roundBegins();
    return new RoundTimes(
        gradientNanos,
        roundBeganNanos - contributedNanos,
        contributedNanos - before - gradientNanos);
  }

  /**
   * Returns the times of a round that ends at this moment without this rank's gradient, and begins
   * the next one.
   */
  public RoundTimes roundPassed() {
    long before = roundBeganNanos;
    roundBegins();
    return new RoundTimes(0, 0, roundBeganNanos - before);
  }

  /** Marks the time at which the rank freezes for a checkpoint. */
  public void frozen() {
    frozenNanos = nowNanos.getAsLong();
  }

  /** Returns for how many nanoseconds the rank has been frozen. */
  public long pauseNanos() {
    return nowNanos.getAsLong() - frozenNanos;
  }
}
