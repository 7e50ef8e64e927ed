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
  record Request(Range range, boolean atTheEnd) implements Pull {
    static final BodyKind KIND =
        new BodyKind(80, (form, values) -> new Request(form.range(), form.first() != 0));

    @Override
    public BodyForm form() {
      return KIND.form(range, atTheEnd ? 1 : 0, 0);
    }
  }

  /**
   * The requested weights, without values if the worker has the same model. The message's round is
   * the slowest worker's clock.
   *
   * @param lag total number of gradients by which the other workers' clocks are behind the worker's
   *     own
   */
  record Granted(Range range, long lag, Payload payload) implements Pull, Body.OverRange {
    static final BodyKind KIND =
        new BodyKind(81, (form, values) -> new Granted(form.range(), form.first(), values));

    public Granted {
      OverRange.check(range, payload);
    }

    @Override
    public BodyForm form() {
      return KIND.form(range, lag, 0);
    }

    @Override
    public boolean mayLackValues() {
      return true;
    }
  }

  /** Answer to a request that was withdrawn. */
  record Refused(Range range) implements Pull {
    static final BodyKind KIND = new BodyKind(82, (form, values) -> new Refused(form.range()));

    @Override
    public BodyForm form() {
      return KIND.form(range, 0, 0);
    }
  }

  /**
   * Request to refuse the sender's requests for weights that it may not have yet.
   *
   * @param requests number of the last request that is withdrawn
   */
  record Withdraw(long requests) implements Pull {
    static final BodyKind KIND = new BodyKind(83, (form, values) -> new Withdraw(form.first()));

    @Override
    public BodyForm form() {
      return KIND.form(requests, 0);
    }
  }
}
