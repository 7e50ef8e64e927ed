package dev.braid.exchange.message;

import dev.braid.vector.Range;

/** What ranks tell each other where each goes its own pace, or a server takes steps. */
public sealed interface Share extends Body {

  /**
   * A rank's own gradient, or the sum of several, over a range. An empty one tells the round.
   *
   * @param samples how many training samples' gradients the values are the sum of, not the mean: of
   *     all rounds that are in it. A range that goes in chunks has as many in each chunk, so those
   *     of chunks, or of ranges, do not add up; where elements sum over different rounds, as after
   *     another number of partitions, the most of any. With batches of b, ⌈samples/b⌉ gradients are
   *     in it, each of which makes one step. 0 with an empty range
   * @param flushed whether it was sent before its turn, because the sender flushes: one of all that
   *     is accumulated for the receiver, to be applied over as many rounds as it would have taken
   *     otherwise
   */
  record Gradient(Range range, long samples, boolean flushed, Payload payload)
      implements Share, Body.OverRange {

    public Gradient {
      OverRange.check(range, payload);
    }

    /** One of a round. */
    public Gradient(Range range, long samples, Payload payload) {
      this(range, samples, false, payload);
    }

    @Override
    public Gradient with(Payload replacement) {
      return new Gradient(range, samples, flushed, replacement);
    }
  }

  /**
   * What the receiver has missed of the sender's gradients while it was absent, up to the message's
   * round, over a range. More may follow: it does not tell the round.
   *
   * @param samples how many training samples it sums over
   */
  record Missed(Range range, long samples, Payload payload) implements Share, Body.OverRange {

    public Missed {
      OverRange.check(range, payload);
    }

    @Override
    public Missed with(Payload replacement) {
      return new Missed(range, samples, replacement);
    }
  }

  /** The sender's weights. An empty one tells the round. */
  record Weights(Range range, Payload payload) implements Share, Body.OverRange {
    public Weights {
      OverRange.check(range, payload);
    }

    @Override
    public Weights with(Payload replacement) {
      return new Weights(range, replacement);
    }
  }

  /**
   * What the sender has measured (Ako §3.2).
   *
   * @param gradientsPerSecond γ: how many it computes while nothing keeps it waiting
   * @param bytesPerSecond B: how much it can send
   */
  record Rates(double gradientsPerSecond, double bytesPerSecond) implements Share {}

  /**
   * Another number of partitions for all.
   *
   * @param fromRound the first round with so many, each rank counting its own
   * @param partitions p, from then on
   */
  record Adopt(long fromRound, int partitions) implements Share {}
}
