package dev.braid.exchange.async;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.transport.Outbox.Unsent;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The sum of the gradients that one peer missed while it was absent. It is sent chunk by chunk when
 * the peer is back. Gradients computed during a pass over the vector are added too: chunks still to
 * be sent in this pass contain them, and another pass sends them over the ranges already sent.
 */
final class MissedGradients {

  private final Range whole;

  /**
   * The missed sum, at the indices of the vector; {@code float[length]}, allocated when the first
   * gradient is missed.
   */
  private float[] sum = {};

  /** The range still to be sent in this pass. */
  private Range range = Range.EMPTY;

  /** Number of samples in the sum that were missed before the pass began. */
  private long samples;

  /** Number of samples in the sum that were missed since the pass began. */
  private long lateSamples;

  /** Whether this pass has sent anything. */
  private boolean begun;

  /**
   * Whether the current pass follows another, so that the sum holds only gradients computed since
   * that one began.
   */
  private boolean onlyLate;

  /**
   * Creates an empty sum.
   *
   * @param length length of the vector
   */
  MissedGradients(int length) {
    this.whole = Range.ofLength(length);
  }

  boolean isEmpty() {
    return range.isEmpty();
  }

  /** Returns whether all has been sent except gradients computed during an earlier pass. */
  boolean isOnlyLate() {
    return onlyLate;
  }

  /** Adds a gradient that the peer misses. */
  void add(Contribution missed) {
    if (missed.samples() > 0) {
      add(whole, missed.samples(), missed.gradient());
    }
  }

  /** Notes that the peer is absent, possibly again, and adds what was not sent to it. */
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

  /**
   * Passes the next chunk of the missed sum to {@code send}. The sum must not be {@linkplain
   * #isEmpty empty}.
   */
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
