package dev.braid.exchange.participation;

import dev.braid.coding.CodeTree;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * An exchange that, at the end of each epoch, chooses which rank computes which samples of a round,
 * according to how long gradients take. Its host reports the times of gradients, and passes no
 * batch of the next epoch on before it knows the plan for it.
 */
public interface Planning {

  /**
   * Sets the source of random numbers. Called before any other method, with the same source at all
   * ranks.
   *
   * @param random supplier of generators that all produce the same numbers
   */
  void drawFrom(Supplier<SplittableRandom> random);

  /**
   * Notes that a gradient has been computed here, whether or not it was used.
   *
   * @param nanosOfRound time that this rank would have taken for all samples of the round, in
   *     nanoseconds
   */
  void computed(double nanosOfRound);

  /**
   * Returns the assignment of samples to ranks for the rounds up to the end of the next round's
   * epoch; empty if it is not known yet. A plan is the same at all ranks.
   */
  Optional<CodeTree> plan();
}
