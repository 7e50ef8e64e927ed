package dev.braid.exchange.message;

import dev.braid.vector.Range;

/** Messages of a coded reduction, in which a parent needs only some of its children's answers. */
public sealed interface Coded extends Body {

  /**
   * A child's answer to its parent over a range: a combination of gradients that the child has
   * computed, plus the sum of its own children.
   *
   * @param samples number of training samples of the child's own gradient
   */
  record Answer(Range range, long samples, Payload payload) implements Coded, Body.OverRange {
    static final BodyKind KIND =
        new BodyKind(98, (form, values) -> new Answer(form.range(), form.first(), values));

    public Answer {
      OverRange.check(range, payload);
    }

    @Override
    public BodyForm form() {
      return KIND.form(range, samples, 0);
    }
  }

  /**
   * The sum of the message's round over a range, on its way down the tree.
   *
   * @param samples number of training samples that it sums over
   * @param hasYours whether it contains the receiver's own gradient, where it might not
   */
  record RoundSum(Range range, long samples, boolean hasYours, Payload payload)
      implements Coded, Body.OverRange {
    static final BodyKind KIND =
        new BodyKind(
            99,
            (form, values) -> new RoundSum(form.range(), form.first(), form.second() != 0, values));

    public RoundSum {
      OverRange.check(range, payload);
    }

    @Override
    public BodyForm form() {
      return KIND.form(range, samples, hasYours ? 1 : 0);
    }
  }

  /**
   * Notice that the sender and all ranks below it are in the message's round.
   *
   * @param barrier the first round that must not end before all ranks are in it, as far as the
   *     sender knows
   */
  record Entered(long barrier) implements Coded {
    static final BodyKind KIND = new BodyKind(100, (form, values) -> new Entered(form.first()));

    @Override
    public BodyForm form() {
      return KIND.form(barrier, 0);
    }
  }
}
