package dev.braid.worker;

import dev.braid.worker.report.RoundTimes;

/** Where the time of a rank's rounds goes. */
final class RoundClock {

  private final TrainerHost host;
  private long roundBeganNanos;
  private long contributedNanos;
  private long frozenNanos;

  RoundClock(TrainerHost host) {
    this.host = host;
    roundBegins();
  }

  void roundBegins() {
    roundBeganNanos = host.nowNanos();
  }

  void contributed() {
    contributedNanos = host.nowNanos();
  }

  /** The times of the round that ends now, whose gradient took so long; the next one begins. */
  RoundTimes roundDone(long gradientNanos) {
    long before = roundBeganNanos;
    roundBegins();
    return new RoundTimes(
        gradientNanos,
        roundBeganNanos - contributedNanos,
        contributedNanos - before - gradientNanos);
  }

  void frozen() {
    frozenNanos = host.nowNanos();
  }

  /** How long the rank has been frozen. */
  long pauseNanos() {
    return host.nowNanos() - frozenNanos;
  }
}
