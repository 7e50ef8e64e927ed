package dev.braid.exchange.message;

import dev.braid.vector.Range;

/** What a worker and an asynchronous parameter server say about weights. */
public sealed interface Pull extends Body {

  /**
   * The receiver shall send its weights over this range, when the sender may have them.
   *
   * @param atTheEnd whether the worker will compute nothing any more
   */
  record Request(Range range, boolean atTheEnd) implements Pull {}

  /**
   * Here they are; without values for a worker that has the same model. The message's round is the
   * slowest worker's clock.
   *
   * @param lag how many gradients of all others they lack that the worker has computed itself
   */
  record Granted(Range range, long lag, Payload payload) implements Pull, Body.OverRange {
    public Granted {
      OverRange.check(range, payload);
    }

    @Override
    public Granted with(Payload replacement) {
      return new Granted(range, lag, replacement);
    }
  }

  /** The request was withdrawn. */
  record Refused(Range range) implements Pull {}

  /**
   * The receiver shall refuse the sender's requests where it may not have the weights.
   *
   * @param requests up to the one of this number
   */
  record Withdraw(long requests) implements Pull {}
}
