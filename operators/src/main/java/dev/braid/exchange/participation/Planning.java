package dev.braid.exchange.participation;

import dev.braid.coding.CodeTree;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * An exchange that chooses anew, where an epoch ends, who computes which samples of a round, by how
 * long gradients take. Its host tells it how long they did, and hands no batch of the next epoch
 * over before it knows by which tree.
 */
public interface Planning {

  /**
   * What it draws from. Told before anything else, and the same at all ranks.
   *
   * @param random gives generators that all draw the same
   */
  void drawFrom(Supplier<SplittableRandom> random);

  /**
   * A gradient has been computed here, of whatever use it was.
   *
   * @param nanosOfRound how long all samples of its round would have taken this rank
   */
  void computed(double nanosOfRound);

  /**
   * Who computes which samples of the rounds up to the end of the epoch that the next one is in;
   * empty where that is not known yet. Always the same at all ranks.
   */
  Optional<CodeTree> plan();
}
