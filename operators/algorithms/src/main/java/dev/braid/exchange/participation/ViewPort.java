package dev.braid.exchange.participation;

import dev.braid.exchange.participation.ViewMessage.ToArbiter;

/**
 * Effects of an exchange whose ranks may be left out, in addition to {@link
 * dev.braid.exchange.Port}.
 */
public interface ViewPort {

  /** The port of a rank without an arbiter, which is never left out. */
  ViewPort NONE =
      new ViewPort() {
        @Override
        public void tell(ToArbiter message) {}

        @Override
        public long steps() {
          return 0;
        }

        @Override
        public void caughtUp(long round, long steps) {
          throw new IllegalStateException(
              "copy of round " + round + ": a rank that was never excluded needs none");
        }
      };

  /** Sends a message to the arbiter. */
  void tell(ToArbiter message);

  /** Returns how many steps the model's updater has taken. */
  long steps();

  /**
   * Notes that the model was replaced by a copy. Rounds before the copy's that this rank has not
   * completed took place without it, and their batches are not used. A gradient in progress belongs
   * to old weights, and is useless.
   *
   * @param round number of complete rounds in the copy, which is the index of the next round
   * @param steps number of steps that the copy's updater has taken
   */
  void caughtUp(long round, long steps);
}
