package dev.braid.exchange.option;

import java.io.Serializable;
import java.time.Duration;

/** Time after which a link that does not answer counts as failed. */
public sealed interface LinkTimeout extends Serializable {

  /**
   * Parses a time-out.
   *
   * @throws IllegalArgumentException if the text is neither a time of 1 ms or more nor {@code
   *     adaptive}
   */
  static LinkTimeout of(String text) {
    if (text.strip().equalsIgnoreCase(ADAPTIVE.toString())) {
      return ADAPTIVE;
    }
    Duration time;
    try {
      time = TypedTime.read(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + "; or adaptive", e);
    }
    // Timers count in milliseconds.
    if (time.toMillis() < 1) {
      throw new IllegalArgumentException("must be 1ms or more, or adaptive");
    }
    return new Fixed(time);
  }

  /** A time-out derived from the measured round trips. */
  LinkTimeout ADAPTIVE = new Adaptive();

  /** A few round trips, which are measured continuously. */
  record Adaptive() implements LinkTimeout {
    @Override
    public String toString() {
      return "adaptive";
    }
  }

  /**
   * A constant time-out, as in the paper of the fault-tolerant tree.
   *
   * @param time more than 0
   */
  record Fixed(Duration time) implements LinkTimeout {
    public Fixed {
      if (time.isNegative() || time.isZero()) {
        throw new IllegalArgumentException("link time-out of " + time + ": must be more than 0");
      }
    }

    @Override
    public String toString() {
      return time.equals(Duration.ofMillis(time.toMillis()))
          ? time.toMillis() + "ms"
          : time.toNanos() + "ns";
    }
  }
}
