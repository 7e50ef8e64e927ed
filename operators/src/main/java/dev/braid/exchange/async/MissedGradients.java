package dev.braid.exchange.async;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.transport.Outbox.Unsent;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * What one peer has missed while it was absent: the sum of it all, which is sent chunk by chunk
 * when it is back. Gradients that are computed meanwhile are missed, too: they are in the chunks
 * that follow, and what they have for those before is sent in another pass.
 */
final class MissedGradients {

  private final Range whole;

  /** With the indices of the vector; made when something is missed. */
  private float[] sum = {};

  /** What is to be sent in this pass. */
  private Range range = Range.EMPTY;

  /** In the sum, and missed before the pass began. */
  private long samples;

  /** In the sum, and missed since. */
  private long lateSamples;

  /** Whether something was sent in this pass. */
  private boolean begun;

  /** Whether there was a pass before. */
  private boolean onlyLate;

  /** Nothing yet, of a vector of this length. */
  MissedGradients(int length) {
    this.whole = Range.ofLength(length);
  }

  boolean isEmpty() {
    return range.isEmpty();
  }

  /** Whether all has been sent but for gradients that came while it was. */
  boolean isOnlyLate() {
    return onlyLate;
  }

  /** The peer misses this gradient. */
  void add(Contribution missed) {
    if (missed.samples() > 0) {
      add(whole, missed.samples(), missed.gradient());
    }
  }

  /** The peer is absent, maybe once more, and what was not sent to it is missed. */
  void add(Unsent missed) {
    if (lateSamples > 0) {
      samples += lateSamples;
      lateSamples = 0;
      range = whole;
    }
    begun = false;
    onlyLate = false;
    if (!missed.range().isEmpty()) {
      add(missed.range(), missed.samples(), missed.values());
    }
  }

  private void add(Range missed, long missedSamples, float[] values) {
    if (sum.length == 0) {
      sum = new float[whole.length()];
    }
    Vectors.add(sum, values, missed);
    if (begun) {
      lateSamples += missedSamples;
    } else {
      range = range.isEmpty() ? missed : whole;
      samples += missedSamples;
    }
  }

  /** Has the next chunk sent, where it is not empty. */
  void sendNext(int chunkLength, Consumer<Unsent> send) {
    int end = Math.min(range.end(), range.start() + chunkLength);
    Range chunk = new Range(range.start(), end);
    send.accept(new Unsent(chunk, samples + lateSamples, sum));
    Arrays.fill(sum, chunk.start(), chunk.end(), 0);
    range = new Range(end, range.end());
    begun = true;
    if (range.isEmpty()) {
      begun = false;
      onlyLate = lateSamples > 0;
      range = onlyLate ? whole : Range.EMPTY;
      samples = lateSamples;
      lateSamples = 0;
    }
  }
}
