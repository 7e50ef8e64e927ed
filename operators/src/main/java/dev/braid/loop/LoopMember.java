package dev.braid.loop;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.ViewMessage;

/** What the loop asks of a worker. All calls come from the worker's own thread. */
public interface LoopMember {

  /** A message of another rank; while held only if this member serves others then. */
  void receive(Message message);

  /**
   * Whether this member takes messages now. One whose round is complete, but that still waits for
   * the round's batch, does not: with another message it might complete a round more, and a
   * checkpoint could not have it where the others are.
   */
  default boolean takesMessages() {
    return true;
  }

  /** The arbiter of views has said something. */
  default void handle(ViewMessage.ToRank message) {
    throw new IllegalStateException("no arbiter of views is needed here: " + message);
  }

  /** Whether training stops after this epoch. */
  void verdict(int epoch, boolean stop);

  /** All ranks of the view have done so many rounds: hand over the results, and end the input. */
  void finish(long rounds);

  /** What a checkpoint asks of this member. */
  Holdable holdable();
}
