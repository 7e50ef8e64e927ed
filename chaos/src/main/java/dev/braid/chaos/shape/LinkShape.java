package dev.braid.chaos.shape;

import java.io.Serializable;

/**
 * A network that is slower than the one there is: every rank is connected to it by a line of this
 * bandwidth, the same both ways, and each message is late by this latency.
 *
 * <p>All that a rank sends shares the way out of its line, and all that it is sent the way in: one
 * that sends to seven others at once has one bandwidth for all of them. In between nothing is
 * scarce (full bisection bandwidth, as Ako §3.2 assumes).
 *
 * @param bytesPerSecond of the line, each way; infinite where it is not limited
 * @param latencyNanos from the end of a rank's line to the beginning of another's
 */
public record LinkShape(double bytesPerSecond, long latencyNanos) implements Serializable {

  public LinkShape {
    if (!(bytesPerSecond > 0) || latencyNanos < 0) {
      throw new IllegalArgumentException(
          "line of %s bytes/s with a latency of %d ns: must be above 0 bytes/s and at least 0 ns"
              .formatted(bytesPerSecond, latencyNanos));
    }
  }

  /** One way of a rank's line. */
  public VirtualQueue line() {
    return new VirtualQueue(bytesPerSecond);
  }
}
