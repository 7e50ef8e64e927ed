package dev.braid.loop.member;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.ViewMessage;

/** A worker, as the loop uses it. All calls come from the worker's own thread. */
public interface LoopMember {

  /**
   * Handles a message of another rank. While held, called only if this member serves others then.
   */
  void receive(Message message);

  /**
   * Returns whether this member can handle messages at this time. A member whose round is complete
   * but which still waits for the round's batch cannot: another message might complete one more
   * round, and a checkpoint could not include it at the others' round.
   */
  default boolean takesMessages() {
    return true;
  }

  /** Handles a message of the arbiter of views. */
  default void handle(ViewMessage.ToRank message) {
    throw new IllegalStateException("unexpected message of the arbiter of views: " + message);
  }

  /** Handles the verdict whether training stops after this epoch. */
  void verdict(int epoch, boolean stop);

  /**
   * Hands over the results and ends the input: all ranks of the view have completed {@code rounds}
   * rounds.
   */
  void finish(long rounds);

  /** Returns this member's side of checkpoints. */
  Holdable holdable();
}
