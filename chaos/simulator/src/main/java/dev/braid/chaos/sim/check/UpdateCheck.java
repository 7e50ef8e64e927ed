package dev.braid.chaos.sim.check;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.View;

/**
 * Watches every update of every rank and its causes. If something is wrong, a method throws an
 * {@link IllegalStateException} that describes it.
 */
public interface UpdateCheck {

  /** Check that accepts everything. */
  UpdateCheck NONE = new UpdateCheck() {};

  /**
   * Called when a rank gets an update.
   *
   * @param round the last round that the rank has contributed to
   */
  default void updated(int rank, long round, Update update) {}

  /** Called when a rank has completed a round that includes its gradient. */
  default void completed(int rank, long round) {}

  /**
   * Called when a completed round of a rank counts: its batch is consumed, and is not used again.
   */
  default void counts(int rank, long round) {}

  /** Called before a rank contributes. */
  default void contributing(int rank, Contribution contribution) {}

  /** Called before a rank receives a message; the updates up to the next call belong to it. */
  default void receiving(int rank, Message message) {}

  /** Called when a rank reads its whole model, perhaps to send a copy of it. */
  default void readingModel(int rank) {}

  /** Called when a rank has entered a view. */
  default void entered(int rank, View view) {}

  /**
   * Called when the last completed round of a rank is rolled back; it may complete the round again.
   */
  default void setBack(int rank, long round) {}

  /**
   * Called when a rank has got a copy of another's replica; this is the first round that it did not
   * miss.
   */
  default void caughtUp(int rank, long round) {}

  /**
   * Called when a rank writes its part of a checkpoint, and at the beginning of a run. Returns an
   * action that restores the current knowledge of the rank. The action is called for all ranks
   * before they are restored from the checkpoint.
   */
  default Runnable saved(int rank) {
    return () -> {};
  }

  /** Called when a rank is restored, as all are, with a new exchange. */
  default void restored(int rank) {}

  /**
   * Called when all ranks are quiet: for a checkpoint, or at the end. Only for asynchronous
   * exchanges.
   */
  default void quiet() {}

  /** Called when a rank has no more contributions; may be called repeatedly. */
  default void ended(int rank) {}
}
