package dev.braid.exchange.async;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.transport.Outbox;
import dev.braid.exchange.transport.Outbox.Unsent;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Arrays;

/**
 * What one peer has missed while it was absent: the sum of it all, which is sent as if it were one
 * gradient.
 */
final class MissedGradients {

  private final Range whole;

  /** With the indices of the vector; made when something is missed. */
  private float[] sum = {};

  /** Where the sum may be other than 0. */
  private Range range = Range.EMPTY;

  private long samples;
  private boolean underWay;

  /** Nothing yet, of a vector of this length. */
  MissedGradients(int length) {
    this.whole = Range.ofLength(length);
  }

  boolean isEmpty() {
    return range.isEmpty();
  }

  /** Whether it is being sent, or has been: then it takes no more gradients. */
  boolean isUnderWay() {
    return underWay;
  }

  /** The peer misses the gradient of these samples. */
  void add(Contribution missed) {
    if (underWay) {
      throw new IllegalStateException(
          "gradient of round " + missed.round() + " added to a sum that is being sent");
    }
    if (missed.samples() > 0) {
      add(whole, missed.samples(), missed.gradient());
    }
  }

  /** The peer is absent, and what was not sent to it is missed. */
  void add(Unsent missed) {
    if (underWay) {
      // What is not sent of this sum itself stays in it.
      keep(missed.range());
    } else if (!missed.range().isEmpty()) {
      add(missed.range(), missed.samples(), missed.values());
    }
  }

  private void add(Range missed, long missedSamples, float[] values) {
    if (sum.length == 0) {
      sum = new float[whole.length()];
    }
    Vectors.add(sum, values, missed);
    range = range.isEmpty() ? missed : whole;
    samples += missedSamples;
  }

  private void keep(Range unsent) {
    underWay = false;
    Arrays.fill(sum, range.start(), unsent.isEmpty() ? range.end() : unsent.start(), 0);
    range = unsent;
    samples = unsent.isEmpty() ? 0 : samples;
  }

  /** Sends it, as of this round; nothing is to be added before all is sent. */
  void post(Outbox outbox, boolean[] peer, long round) {
    underWay = true;
    outbox.postKept(peer, round, range, samples, sum);
  }
}
