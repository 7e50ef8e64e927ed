package dev.braid.loop;

import dev.braid.exchange.Message;

/** What the loop asks of a worker. All calls come from the worker's own thread. */
public interface LoopMember {

  /** How many rounds are complete, of those that all members do together; else 0. */
  long completedRounds();

  /** Whether nothing is left to do here for the first so many rounds: this member may be held. */
  default boolean isThrough(long rounds) {
    return completedRounds() >= rounds;
  }

  /** Begin no new round until {@link #resume()}, but go on with the one under way. */
  void freeze();

  /**
   * Whether this member's messages must all arrive before a checkpoint, and are waited for. If not,
   * they need not, and it {@linkplain #rollBack() rolls back}. All members say the same.
   */
  default boolean flushes() {
    return false;
  }

  /** Send what is kept back; all members are frozen. */
  default void flush() {}

  /** Whether all that this member has sent is known to have arrived. */
  default boolean allHasArrived() {
    return true;
  }

  /** Forget what belongs to rounds that are not complete; not asked of one that flushes. */
  void rollBack();

  /** Go on, with a round from its beginning. */
  void resume();

  /** A message of another rank; while held only if this member {@link #servesWhileHeld()}. */
  void receive(Message message);

  /**
   * Whether this member, while held, gets messages of those that are not yet: where messages can be
   * lost, they may need an answer to come to the end of the round. It completes no round then. One
   * that {@link #flushes()} does.
   */
  default boolean servesWhileHeld() {
    return false;
  }

  /** Whether training stops after this epoch. */
  void verdict(int epoch, boolean stop);

  /** All ranks are done: hand over the results, and let the input end. */
  void finish();
}
