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

    public Times {
      OverRange.check(range, payload);
    }

    @Override
    public Times with(Payload replacement) {
      return new Times(range, messageSeconds, replacement);
    }
  }

  /** The tree that is used from the message's round on. */
  record Chosen(TreeInUse tree) implements TreeChoice {}
}
