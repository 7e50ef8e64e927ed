package dev.braid.chaos.fault;

/**
 * Receives the fates of the messages that a {@link FaultPlan} was given.
 *
 * @param <M> a message
 */
public interface MessageFates<M> {

  /**
   * Takes a message that arrives now.
   *
   * @param corrupt whether bits of it are flipped on the way
   * @param again whether the same message arrives once more, at once or later: that one is the one
   *     that was given to the plan, and this a copy
   */
  void arrive(M message, boolean corrupt, boolean again);

  /** Takes a message that is lost. */
  void lost(M message);

  /** Takes an effect of faults on a message, once for each message and effect. */
  default void touched(Effect effect) {}
}
