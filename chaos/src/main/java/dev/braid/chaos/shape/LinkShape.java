package dev.braid.chaos.shape;

import java.io.Serializable;

/**
 * A network that is slower than the real one. Every rank is connected to it by a line of this
 * bandwidth, the same in both directions, and each message is delayed by this latency.
 *
 * <p>All messages from a rank share the outgoing direction of its line, and all messages to it the
 * incoming one: a rank that sends to seven others at once has one bandwidth for all of them. The
 * network between the lines is unlimited (full bisection bandwidth, as Ako §3.2 assumes).
 *
 * @param bytesPerSecond bandwidth of a line in each direction, above 0; infinite if it is not
 *     limited
 * @param latencyNanos time from the end of a rank's line to the beginning of another's, in
 *     nanoseconds
 */
public record LinkShape(double bytesPerSecond, long latencyNanos) implements Serializable {

  public LinkShape {
    if (!(bytesPerSecond > 0) || latencyNanos < 0) {
      throw new IllegalArgumentException(
          "line of %s bytes/s with a latency of %d ns: must be above 0 bytes/s and at least 0 ns"
              .formatted(bytesPerSecond, latencyNanos));
    }
  }

  /** Returns one direction of a rank's line. */
  public VirtualQueue line() {
    return new VirtualQueue(bytesPerSecond);
  }
}
