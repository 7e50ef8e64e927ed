package dev.braid.exchange.message;

import dev.braid.vector.Range;

/** Messages between ranks that train asynchronously, or with a server that takes the steps. */
public sealed interface Share extends Body {

  /**
   * A rank's own gradient over a range, or the sum of several. With an empty range it only states
   * the round.
   *
   * @param samples number of training samples whose gradients the values sum (not average); 0 for
   *     an empty range. All chunks of a range state the number of the whole range, so the numbers
   *     must not be added. After a change of the number of partitions, the elements of a range may
   *     sum over different rounds; the number is then that of the element with the most. With
   *     batches of b samples the sum contains ⌈samples/b⌉ gradients, each of which makes one step
   * @param flushed whether the sender sends it before its turn, because it flushes. It then
   *     contains everything that is accumulated for the receiver, to be applied over as many rounds
   *     as it would have taken otherwise
   */
  record Gradient(Range range, long samples, boolean flushed, Payload payload)
      implements Share, Body.OverRange {
    static final BodyKind KIND =
        new BodyKind(64, (form, values) -> new Gradient(form.range(), form.first(), false, values));
    static final BodyKind FLUSHED =
        new BodyKind(65, (form, values) -> new Gradient(form.range(), form.first(), true, values));

    public Gradient {
      OverRange.check(range, payload);
    }

    /** Creates a gradient that is not flushed. */
    public Gradient(Range range, long samples, Payload payload) {
      this(range, samples, false, payload);
    }

    @Override
    public BodyForm form() {
      return (flushed ? FLUSHED : KIND).form(range, samples, 0);
    }
  }

  /**
   * The sender's gradients over a range that the receiver has missed during its absence, up to the
   * message's round. Other ranges may follow. The receiver therefore does not take the message's
   * round for the sender's clock.
   *
   * @param samples number of training samples that the values sum over
   */
  record Missed(Range range, long samples, Payload payload) implements Share, Body.OverRange {
    static final BodyKind KIND =
        new BodyKind(70, (form, values) -> new Missed(form.range(), form.first(), values));

    public Missed {
      OverRange.check(range, payload);
    }

    @Override
    public BodyForm form() {
      return KIND.form(range, samples, 0);
    }
  }

  /** The sender's weights over a range. With an empty range it only states the round. */
  record Weights(Range range, Payload payload) implements Share, Body.OverRange {
    static final BodyKind KIND =
        new BodyKind(66, (form, values) -> new Weights(form.range(), values));

    public Weights {
      OverRange.check(range, payload);
    }

    @Override
    public BodyForm form() {
      return KIND.form(range, 0, 0);
    }
  }

  /**
   * Rates that the sender has measured (Ako §3.2).
   *
   * @param gradientsPerSecond γ, gradients that it computes per second while it does not wait
   * @param bytesPerSecond B, bytes that it can send per second
   */
  record Rates(double gradientsPerSecond, double bytesPerSecond) implements Share {
    static final BodyKind KIND =
        new BodyKind(
            68,
            (form, values) ->
                new Rates(
                    Double.longBitsToDouble(form.first()), Double.longBitsToDouble(form.second())));

    @Override
    public BodyForm form() {
      return KIND.form(
          Double.doubleToLongBits(gradientsPerSecond), Double.doubleToLongBits(bytesPerSecond));
    }
  }

  /**
   * A new number of partitions for all ranks.
   *
   * @param fromRound the first round with this number of partitions; each rank counts its own
   *     rounds
   * @param partitions p, the number of partitions from that round on
   */
  record Adopt(long fromRound, int partitions) implements Share {
    static final BodyKind KIND =
        new BodyKind(69, (form, values) -> new Adopt(form.second(), form.firstInt()));

    @Override
    public BodyForm form() {
      return KIND.form(partitions, fromRound);
    }
  }
}
