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

  /** A message of another rank; never while held. */
  void receive(Message message);

  /** Whether training stops after this epoch. */
  void verdict(int epoch, boolean stop);

  /** All ranks are done: hand over the results, and let the input end. */
  void finish();
}
