package dev.braid.exchange.message;

import dev.braid.vector.Range;

/** What ranks tell each other where each goes its own pace, or a server takes steps. */
public sealed interface Share extends Body {

  /**
   * A rank's own gradient, or the sum of several, over a range. An empty one tells the round.
   *
   * @param samples how many training samples it sums over
   * @param accumulated whether it is all that has been accumulated for the receiver, sent at once;
   *     to be applied over as many rounds as it would have taken otherwise
   */
  record Gradient(Range range, long samples, boolean accumulated, Payload payload)
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
      return new Gradient(range, samples, accumulated, replacement);
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
   * What the sender has measured.
   *
   * @param gradientsPerSecond γ
   * @param bytesPerSecond B
   */
  record Measured(double gradientsPerSecond, double bytesPerSecond) implements Share {}

  /** How many partitions all go by from the message's round on. */
  record Adopt(int partitions) implements Share {}
}
