package dev.braid.loop.member;

import dev.braid.exchange.message.Message;
import dev.braid.loop.coordinator.LoopEvent;

/** The operations of a loop that its members may call, each in its own thread. */
public interface LoopPort {

  /**
   * Sends a message to another member. Its values may change after the call, unless they are
   * {@linkplain dev.braid.vector.Slice#isSteady() steady}.
   */
  void send(Message message);

  /** Sends an event to the loop's coordinator. */
  void tell(LoopEvent.ToCoordinator event);

  /** Reports that the member may have completed rounds outside {@link LoopMember#receive}. */
  void roundsAdvanced();

  /**
   * Reports that the member has completed a round of its own.
   *
   * @param completedRounds number of rounds completed in all
   */
  default void roundDone(long completedRounds) {}

  /**
   * Ends the loop, which is empty for good: the source may end. The answer to {@link
   * LoopMember#finish}.
   */
  void end();
}
