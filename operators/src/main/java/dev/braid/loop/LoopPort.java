package dev.braid.loop;

import dev.braid.exchange.message.Message;
import dev.braid.loop.coordinator.LoopEvent;

/** What a member of a loop may do to the loop. All calls are made in the member's own thread. */
public interface LoopPort {

  /** Sends a message to another member. It is serialised before the call returns. */
  void send(Message message);

  /** Tells the loop's coordinator something. */
  void tell(LoopEvent.ToCoordinator event);

  /** The member may have completed rounds other than in {@link LoopMember#receive}. */
  void roundsAdvanced();

  /** The member has completed a round of its own, and so many in all. */
  default void roundDone(long completedRounds) {}

  /**
   * The loop is empty for good, and the source may end. The answer to {@link LoopMember#finish}.
   */
  void end();
}
