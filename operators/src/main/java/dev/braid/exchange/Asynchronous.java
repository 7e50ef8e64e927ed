package dev.braid.exchange;

import dev.braid.exchange.message.Message;
import java.util.List;

/**
 * An exchange in which every rank goes its own pace and counts rounds of its own: a round is one
 * gradient of the rank's, complete as soon as it is contributed, and the model may be updated at
 * any time.
 *
 * <p><b>A checkpoint</b> empties the loop by a {@linkplain #flush() flush}, until all ranks are
 * {@linkplain #isQuiet() quiet}. From one rank's exchange it wants this, in this order:
 *
 * <pre>
 *   rank is told   rank answers    its exchange
 *   ------------   ------------    ------------
 *   Freeze         Frozen          unreachable() names nobody; nothing is contributed from now on
 *   HoldAfter                      flush()
 *                  Held            isQuiet(), asked again after every call until it says yes
 *   barrier                        deferredSteps() and its Stateful states are written, with the model
 *                  WentOn          emptied(), goOn()
 *
 *   or, where unreachable() names a rank, at Freeze, or while isQuiet() says no:
 *                  CannotHold      at this rank or at any other
 *   CarryOn        WentOn          goOn()
 * </pre>
 *
 * <p>Before Freeze, every rank has found that Flink's network carries something from every other
 * ({@code PathProbes}): while it does not, no checkpoint begins. Links that chaos events cut do not
 * count there. The barrier comes when all ranks are held. Of each rank its own model is saved, or
 * what it serves. What may happen meanwhile:
 *
 * <ul>
 *   <li><b>Messages and deadlines</b> come as ever, frozen, flushing or held, and may change the
 *       model: others may not be quiet yet, and who heard nothing would take them for lost. What a
 *       rank that is quiet may still send is its round, to a peer that is back, and it is not quiet
 *       until that has arrived; a server answers; and a rank that relays does so. When all are
 *       held, nothing that counts is in flight; what still is, such as acknowledgements of what was
 *       answered or relayed, is dropped ({@link #emptied()}). Each rank goes on right after its own
 *       snapshot: what it sends then waits at those that are still held, and comes after their
 *       {@link #goOn()}.
 *   <li><b>A rank cannot be reached</b>: the checkpoint is declined, as soon as one rank finds that
 *       out, and training goes on. {@link #goOn()} comes to all, wherever they are: frozen, without
 *       a {@link #flush()}; flushing; or held. Nothing is undone, and no message is dropped: what a
 *       flush has begun to send goes its way and counts, and {@link #mayCompute()} may say no until
 *       there is room for more. A gradient that is ready is kept until then. As long as nobody
 *       finds it out, which takes time-outs, all wait.
 *   <li><b>The checkpoint is aborted</b>: it is not cut short. All ranks are held first, or it is
 *       declined, and then they go on; nothing may have been written.
 * </ul>
 *
 * <p>A run begins with {@link #goOn()} as well, one that is restored right after its states are
 * read. As it ends, each rank is asked to {@link #end()} until it is quiet, which may be often, and
 * a checkpoint may come meanwhile, with a {@link #flush()} of its own.
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
   * itself where it is the one that is cut off, or is back and waits for a copy of the model.
   */
  default List<Integer> unreachable() {
    return List.of();
  }

  /**
   * All ranks were held for a checkpoint, and this one goes on: nothing was in flight that counts,
   * and what was will not come. Before {@link #goOn()}, and not where the checkpoint is declined.
   */
  default void emptied() {}

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
