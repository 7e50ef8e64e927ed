package dev.braid.loop;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.ViewMessage;
import java.util.List;

/** What the loop asks of a worker. All calls come from the worker's own thread. */
public interface LoopMember {

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
   * Whether this member takes messages now. One whose round is complete, but that still waits for
   * the round's batch, does not: with another message it might complete a round more, and a
   * checkpoint could not have it where the others are.
   */
  default boolean takesMessages() {
    return true;
  }

  /**
   * A checkpoint holds after so many rounds. One that is left out of the view goes on to there: it
   * drops the batches of the rounds that it has missed.
   */
  default void holdAfter(long rounds) {}

  /** The arbiter of views has said something. */
  default void handle(ViewMessage.ToRank message) {
    throw new IllegalStateException("no arbiter of views is needed here: " + message);
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

  /**
   * Ranks that keep {@link #allHasArrived()} from coming true, of one that {@link #flushes()}: they
   * cannot be reached, as far as is known by now. It is one of them itself where it is the one that
   * is cut off.
   */
  default List<Integer> unreachable() {
    return List.of();
  }

  /** Forget what belongs to rounds that are not complete; not asked of one that flushes. */
  void rollBack();

  /** Go on, with a round from its beginning; of one that flushes, perhaps before that is over. */
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

  /** All ranks of the view have done so many rounds: hand over the results, and end the input. */
  void finish(long rounds);
}
