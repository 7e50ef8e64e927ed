package dev.braid.worker.report;

import java.util.function.LongSupplier;

/** Where the time of a rank's rounds goes. */
public final class RoundClock {

  private final LongSupplier nowNanos;
  private long roundBeganNanos;
  private long contributedNanos;
  private long frozenNanos;

  /** The first round begins. */
  public RoundClock(LongSupplier nowNanos) {
    this.nowNanos = nowNanos;
    roundBegins();
  }

  /** What was before is no round's time. */
  public void roundBegins() {
    roundBeganNanos = nowNanos.getAsLong();
  }

  /** The round's gradient has been contributed. */
  public void contributed() {
    contributedNanos = nowNanos.getAsLong();
  }

  /** The times of the round that ends now, whose gradient took so long; the next one begins. */
  public RoundTimes roundDone(long gradientNanos) {
    long before = roundBeganNanos;
    roundBegins();
    return new RoundTimes(
        gradientNanos,
        roundBeganNanos - contributedNanos,
        contributedNanos - before - gradientNanos);
  }

  /** The times of the round that ends now without this rank's gradient; the next one begins. */
  public RoundTimes roundPassed() {
    long before = roundBeganNanos;
    roundBegins();
    return new RoundTimes(0, 0, roundBeganNanos - before);
  }

  /** The loop is about to be held. */
  public void frozen() {
    frozenNanos = nowNanos.getAsLong();
  }

  /** How long the rank has been frozen. */
  public long pauseNanos() {
    return nowNanos.getAsLong() - frozenNanos;
  }
}
