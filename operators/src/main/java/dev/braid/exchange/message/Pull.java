package dev.braid.exchange.message;

import dev.braid.vector.Range;

/** Messages about weights between a worker and an asynchronous parameter server. */
public sealed interface Pull extends Body {

  /**
   * Request for the receiver's weights over a range, which it sends as soon as the sender may have
   * them.
   *
   * @param atTheEnd whether the worker will compute no more gradients
   */
  record Request(Range range, boolean atTheEnd) implements Pull {}

  /**
   * The requested weights, without values if the worker has the same model. The message's round is
   * the slowest worker's clock.
   *
   * @param lag total number of gradients by which the other workers' clocks are behind the worker's
   *     own
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

  /** Answer to a request that was withdrawn. */
  record Refused(Range range) implements Pull {}

  /**
   * Request to refuse the sender's requests for weights that it may not have yet.
   *
   * @param requests number of the last request that is withdrawn
   */
  record Withdraw(long requests) implements Pull {}
}
