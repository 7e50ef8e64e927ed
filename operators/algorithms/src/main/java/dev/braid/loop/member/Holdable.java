package dev.braid.loop.member;

import java.util.List;
import java.util.Optional;

/**
 * A member of the loop, as far as checkpoints are concerned. It moves to a state from which all
 * members can be restored, stays there until its snapshot is taken, and resumes. {@link
 * HoldProtocol} determines when.
 */
public interface Holdable {

  /**
   * The operations of a member that waits until all its messages have arrived before a checkpoint.
   */
  interface Flushing {

    /** Sends all messages that are held back; all members are frozen. */
    void flush();

    /** Returns whether all messages of this member are known to have arrived. */
    boolean allHasArrived();

    /**
     * Returns the ranks that keep {@link #allHasArrived()} false: those known to be unreachable.
     * The list contains this member's own rank if this member itself is unreachable.
     */
    List<Integer> unreachable();

    /**
     * Handles the end of a hold of all members: messages in flight do not count and will not
     * arrive. Not called if the checkpoint is declined.
     */
    void emptied();
  }

  /**
   * Returns the number of completed rounds, of those that all members complete together; 0 if there
   * are no such rounds, −1 while this member waits for a copy of the model.
   */
  long completedRounds();

  /**
   * Returns whether this member has nothing left to do for the first {@code rounds} rounds, and may
   * be held.
   */
  default boolean isThrough(long rounds) {
    return completedRounds() >= rounds;
  }

  /**
   * Returns whether there is something to compute for the next round. Otherwise, waiting for a
   * round would be waiting for the source, which may have no data for hours.
   */
  default boolean hasNextRound() {
    return true;
  }

  /** Begins no new round until {@link #resume()}, but continues the round in progress. */
  void freeze();

  /**
   * Prepares to hold after this number of rounds. A member that is excluded from the view moves on
   * to there: it drops the batches of the rounds that it has missed.
   */
  default void holdAfter(long rounds) {}

  /**
   * Returns the operations that make this member's messages arrive before a checkpoint. Empty if
   * they need not arrive, because the member {@linkplain #rollBack() rolls back}. All members
   * return the same kind.
   */
  default Optional<Flushing> flushing() {
    return Optional.empty();
  }

  /**
   * Discards the work on rounds that are not complete; completed rounds stay complete. Not called
   * on a member that flushes.
   */
  void rollBack();

  /**
   * Returns whether this member, while held, receives messages of members that are not held yet. If
   * messages can be lost, those members may need an answer to complete the round. The held member
   * completes no round then. A member that flushes receives messages while held.
   */
  default boolean servesWhileHeld() {
    return false;
  }

  /**
   * Resumes with a round from its beginning. A member that flushes may be resumed before its flush
   * is over.
   */
  void resume();
}
