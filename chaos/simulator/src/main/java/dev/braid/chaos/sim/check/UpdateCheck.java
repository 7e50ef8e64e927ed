package dev.braid.chaos.sim.check;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.View;

/**
 * Watches every update of every rank, and what leads to it, and throws an {@link
 * IllegalStateException} that says what is wrong.
 */
public interface UpdateCheck {

  /** Lets everything pass. */
  UpdateCheck NONE = new UpdateCheck() {};

  /**
   * A rank got an update.
   *
   * @param round the last round that the rank has contributed to
   */
  default void updated(int rank, long round, Update update) {}

  /** A rank has completed a round, with its gradient in it. */
  default void completed(int rank, long round) {}

  /** A round that a rank has completed counts: its batch is used up, and is not used again. */
  default void counts(int rank, long round) {}

  /** A rank is about to contribute. */
  default void contributing(int rank, Contribution contribution) {}

  /**
   * A rank is about to receive a message: the updates that follow, up to the next call, are its.
   */
  default void receiving(int rank, Message message) {}

  /** A rank reads its whole model, perhaps to send a copy of it. */
  default void readingModel(int rank) {}

  /** A rank has entered a view. */
  default void entered(int rank, View view) {}

  /** The last round that a rank has completed does not count; it may complete it again. */
  default void setBack(int rank, long round) {}

  /** A rank has got a copy of another's replica; this is the first round that it did not miss. */
  default void caughtUp(int rank, long round) {}

  /**
   * A rank writes its part of a checkpoint. Returns what puts back all that is known of the rank to
   * what it is now: called, for all ranks, before they are restored from the checkpoint. Called at
   * the beginning of a run as well.
   */
  default Runnable saved(int rank) {
    return () -> {};
  }

  /** A rank is restored, as all are, with an exchange made anew. */
  default void restored(int rank) {}

  /** All ranks are quiet: for a checkpoint, or at the end. Asynchronous exchanges only. */
  default void quiet() {}

  /** A rank will contribute nothing more; perhaps not said for the first time. */
  default void ended(int rank) {}
}
