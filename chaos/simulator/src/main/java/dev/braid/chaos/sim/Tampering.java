package dev.braid.chaos.sim;

import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import java.util.List;
import java.util.Optional;

/**
 * Hooks by which a test plants a mistake in a run, to show that the simulator finds it. Each hook
 * changes nothing by default.
 */
public interface Tampering {

  /** Plants nothing. */
  Tampering NONE = new Tampering() {};

  /** Returns the port that a rank's exchange has instead of its own. */
  default Port port(int rank, Port port) {
    return port;
  }

  /** Returns what comes to a rank instead of a message; empty where the message is lost. */
  default Optional<Message> arriving(Message message, long nowNanos) {
    return Optional.of(message);
  }

  /** Returns the incarnation that a rank's letter carries. */
  default long incarnation(int rank, long incarnation) {
    return incarnation;
  }

  /** Returns what the coordinator tells a rank instead of an event. */
  default Optional<ToMember> told(int rank, ToMember event) {
    return Optional.of(event);
  }

  /** Returns what a rank tells the coordinator instead of an event. */
  default Optional<ToCoordinator> tells(int rank, ToCoordinator event) {
    return Optional.of(event);
  }

  /** Returns what a checkpoint keeps of a rank instead of the part that the rank wrote. */
  default byte[] saved(int rank, byte[] part) {
    return part;
  }

  /** Returns the round of the first batch that a restored rank is given. */
  default long firstBatch(int rank, long round) {
    return round;
  }

  /** Returns messages that come to a rank as soon as it has begun after a crash. */
  default List<Message> leftFromBeforeCrash(int rank) {
    return List.of();
  }

  /**
   * Returns whether ranks resume at the moment when a checkpoint is aborted, instead of when the
   * coordinator tells them.
   */
  default boolean resumesAtAbort() {
    return false;
  }
}
