package dev.braid.loop;

import java.util.List;
import java.util.Optional;

/**
 * What a checkpoint asks of a member of the loop: to come to a place that all can be restored to,
 * to stand there until its snapshot is taken, and to go on. {@link HoldProtocol} says when.
 */
public interface Holdable {

  /** Of a member whose messages must all arrive before a checkpoint, and are waited for. */
  interface Flushing {

    /** Send what is kept back; all members are frozen. */
    void flush();

    /** Whether all that this member has sent is known to have arrived. */
    boolean allHasArrived();

    /**
     * Ranks that keep {@link #allHasArrived()} from coming true: they cannot be reached, as far as
     * is known by now. The member is one of them itself where it is the one that is cut off.
     */
    List<Integer> unreachable();

    /**
     * All members were held, and this one goes on: what is still in flight, which does not count,
     * will not come. Not where the checkpoint is declined.
     */
    void emptied();
  }

  /**
   * How many rounds are complete, of those that all members do together; else 0. One that waits for
   * a copy of the model has completed none.
   */
  long completedRounds();

  /** Whether nothing is left to do here for the first so many rounds: this member may be held. */
  default boolean isThrough(long rounds) {
    return completedRounds() >= rounds;
  }

  /**
   * Whether there is something to compute for the next round. Without that, waiting for a round
   * would be waiting for the source, which may have nothing for hours.
   */
  default boolean hasNextRound() {
    return true;
  }

  /** Begin no new round until {@link #resume()}, but go on with the one under way. */
  void freeze();

  /**
   * A checkpoint holds after so many rounds. One that is left out of the view goes on to there: it
   * drops the batches of the rounds that it has missed.
   */
  default void holdAfter(long rounds) {}

  /**
   * How this member's messages all arrive before a checkpoint. Empty if they need not, and it
   * {@linkplain #rollBack() rolls back}. All members say the same.
   */
  default Optional<Flushing> flushing() {
    return Optional.empty();
  }

  /**
   * Forget what belongs to rounds that are not complete; those that are stay so. Not asked of one
   * that flushes.
   */
  void rollBack();

  /**
   * Whether this member, while held, gets messages of those that are not yet: where messages can be
   * lost, they may need an answer to come to the end of the round. It completes no round then. One
   * that flushes does.
   */
  default boolean servesWhileHeld() {
    return false;
  }

  /** Go on, with a round from its beginning; of one that flushes, perhaps before that is over. */
  void resume();
}
