package dev.braid.exchange.participation;

import dev.braid.exchange.participation.ViewMessage.ToArbiter;

/**
 * What an exchange whose ranks may be left out does to the world besides {@link
 * dev.braid.exchange.Port}.
 */
public interface ViewPort {

  /** Of a rank that has no arbiter: none is ever left out. */
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
              "a copy of round " + round + " for a rank never left out");
        }
      };

  /** Tells the arbiter something. */
  void tell(ToArbiter message);

  /** How many steps the model's updater has taken. */
  long steps();

  /**
   * The model was replaced by a copy, with as many steps taken. Rounds up to this one that this
   * rank has not completed went without it: their batches are not used. A gradient that is under
   * way was of old weights, and is worth nothing.
   *
   * @param round how many rounds are complete in the copy: the next one
   */
  void caughtUp(long round, long steps);
}
