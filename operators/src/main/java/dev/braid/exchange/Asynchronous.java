package dev.braid.exchange;

import dev.braid.exchange.message.Message;
import java.util.List;

/**
 * An exchange in which every rank goes its own pace and counts rounds of its own: a round is one
 * gradient of the rank's, complete as soon as it is contributed, and the model may be updated at
 * any time.
 *
 * <p>A checkpoint empties the loop by a {@linkplain #flush() flush}, until all ranks are
 * {@linkplain #isQuiet() quiet}. Each rank's model is saved, and messages that come meanwhile are
 * for this exchange: others may not be quiet yet.
 */
public non-sealed interface Asynchronous extends Exchange {

  /**
   * A message that this rank has sent has come to its receiver. Its values are not to be read: they
   * may have been released.
   */
  default void arrived(Message message) {}

  /**
   * Sends all that is kept back, as this rank will contribute nothing for a while: a checkpoint is
   * due, or training ends.
   */
  void flush();

  @Override
  default void end() {
    flush();
  }

  @Override
  boolean isQuiet();

  /**
   * Ranks that keep this one from getting {@linkplain #isQuiet() quiet} before they are back: they
   * are absent, and something of what this rank sends them has not arrived. It is one of them
   * itself where it is the one that is cut off.
   */
  default List<Integer> unreachable() {
    return List.of();
  }

  /**
   * This rank waits for others, for more than the exchange knows of, or does so no longer: what it
   * {@linkplain Measured#absentRanks() knows of who is absent} is to be of now, though it sends
   * nothing.
   */
  default void awaitOthers(boolean waits) {}

  /**
   * Steps along gradients that have come and are held back, to be made one by one; none of them is
   * in the model. A checkpoint saves the model with all of them.
   */
  default List<Update.GradientSum> deferredSteps() {
    return List.of();
  }
}
