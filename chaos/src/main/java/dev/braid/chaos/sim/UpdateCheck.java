package dev.braid.chaos.sim;

import dev.braid.exchange.Update;

/**
 * Watches every update of every rank, and throws an {@link IllegalStateException} that says what is
 * wrong with it.
 */
public interface UpdateCheck {

  /** Lets everything pass. */
  UpdateCheck NONE =
      new UpdateCheck() {
        @Override
        public void updated(int rank, long round, Update update) {}

        @Override
        public void completed(int rank, long round) {}
      };

  /**
   * A rank got an update.
   *
   * @param round the last round that the rank has contributed to
   */
  void updated(int rank, long round, Update update);

  /** A rank has completed a round. */
  void completed(int rank, long round);
}
