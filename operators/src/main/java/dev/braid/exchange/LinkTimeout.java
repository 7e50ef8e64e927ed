package dev.braid.exchange;

import java.time.Duration;
import java.util.Optional;

/**
 * After how long a silent link counts as failed: a fixed time, as the paper of the fault-tolerant
 * tree has it, or what the link's own round trips say.
 *
 * @param fixed the fixed time; empty where it adapts
 */
public record LinkTimeout(Optional<Duration> fixed) {

  /** From measured round trips. */
  public static final LinkTimeout ADAPTIVE = new LinkTimeout(Optional.empty());

  public LinkTimeout {
    fixed.ifPresent(
        time -> {
          if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("a link time-out of " + time + ": more than 0 is needed");
          }
        });
  }

  /** The same for all links. */
  public static LinkTimeout fixed(Duration time) {
    return new LinkTimeout(Optional.of(time));
  }

  /** A fault-tolerant tree with this time-out. */
  public Exchange faultTolerantTree(ExchangeConfig config, Port port) {
    return new FaultTolerantTree(config, port, fixed.orElseThrow().toNanos());
  }
}
