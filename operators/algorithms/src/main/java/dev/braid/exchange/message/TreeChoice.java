package dev.braid.exchange.message;

import dev.braid.coding.TreeInUse;
import dev.braid.vector.Range;

/**
 * Messages by which ranks change to another tree between two rounds, based on their measurements.
 */
public sealed interface TreeChoice extends Body {

  /**
   * The sender's gradient times in the epoch that has ended.
   *
   * @param range as long as there are times; unrelated to the model's vector
   * @param messageSeconds time to receive one answer, in seconds; 0 if unknown
   * @param payload times for all samples of a round, in seconds and equally likely
   */
  record Times(Range range, double messageSeconds, Payload payload)
      implements TreeChoice, Body.OverRange {
    static final BodyKind KIND =
        new BodyKind(
            96,
            (form, values) ->
                new Times(form.range(), Double.longBitsToDouble(form.first()), values));

    public Times {
      OverRange.check(range, payload);
    }

    @Override
    public BodyForm form() {
      return KIND.form(range, Double.doubleToLongBits(messageSeconds), 0);
    }
  }

  /** The tree that is used from the message's round on. */
  record Chosen(TreeInUse tree) implements TreeChoice {
    static final BodyKind KIND = new BodyKind(97, (form, values) -> new Chosen(tree(form)));

    private static TreeInUse tree(BodyForm form) {
      return new TreeInUse(
          BodyForm.upper(form.first()),
          BodyForm.lower(form.first()),
          Float.intBitsToFloat(BodyForm.upper(form.second())),
          Float.intBitsToFloat(BodyForm.lower(form.second())));
    }

    @Override
    public BodyForm form() {
      return KIND.form(
          BodyForm.pair(tree.children(), tree.stragglers()),
          BodyForm.pair(
              Float.floatToRawIntBits(tree.seconds()),
              Float.floatToRawIntBits(tree.secondsBefore())));
    }
  }
}
