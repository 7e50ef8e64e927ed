package dev.braid.exchange.message;

import dev.braid.coding.TreeInUse;
import dev.braid.vector.Range;

/** How ranks come to another tree between two rounds, where it follows from what they measure. */
public sealed interface TreeChoice extends Body {

  /**
   * How long gradients took the sender in the epoch that has ended.
   *
   * @param range as long as there are times; of no vector
   * @param messageSeconds how long it takes to receive an answer; 0 where that is not known
   * @param payload seconds for all samples of a round, each as likely as the others
   */
  record Times(Range range, double messageSeconds, Payload payload)
      implements TreeChoice, Body.OverRange {

    public Times {
      OverRange.check(range, payload);
    }

    @Override
    public Times with(Payload replacement) {
      return new Times(range, messageSeconds, replacement);
    }
  }

  /** The tree from the message's round on. */
  record Chosen(TreeInUse tree) implements TreeChoice {}
}
