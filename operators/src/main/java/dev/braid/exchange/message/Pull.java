package dev.braid.exchange.message;

import dev.braid.vector.Range;

/** Messages about weights between a worker and an asynchronous parameter server. */
public sealed interface Pull extends Body {

  /**
   * Asks the receiver for its weights over a range, as soon as the sender may have them.
   *
   * @param atTheEnd whether the worker will compute no more gradients
   */
  record Request(Range range, boolean atTheEnd) implements Pull {}

  /**
   * Grants the weights, without values if the worker has the same model. The message's round is the
   * slowest worker's clock.
   *
   * @param lag number of gradients of the worker itself that all other workers together lack
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

  /** Refuses a request that was withdrawn. */
  record Refused(Range range) implements Pull {}

  /**
   * Asks the receiver to refuse the sender's requests for weights that it may not have yet.
   *
   * @param requests number of the last request that is withdrawn
   */
  record Withdraw(long requests) implements Pull {}
}
