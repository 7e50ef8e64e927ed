package dev.braid.loop;

import dev.braid.exchange.Message;

/** What the loop asks of a worker. All calls come from the worker's own thread. */
public interface LoopMember {

  /** How many rounds are complete. */
  long completedRounds();

  /** Begin no new round until {@link #resume()}, but go on with the one under way. */
  void freeze();

  /** Forget what belongs to rounds that are not complete. */
  void rollBack();

  /** Go on, with a round from its beginning. */
  void resume();

  /** A message of another rank; while held only if this member {@link #servesWhileHeld()}. */
  void receive(Message message);

  /**
   * Whether this member, while held, gets messages of those that are not yet: where messages can be
   * lost, they may need an answer to come to the end of the round. It completes no round then.
   */
  default boolean servesWhileHeld() {
    return false;
  }

  /** Whether training stops after this epoch. */
  void verdict(int epoch, boolean stop);

  /** All ranks are done: hand over the results, and let the input end. */
  void finish();
}
