package dev.braid.exchange;

import dev.braid.exchange.message.Message;
import java.util.List;

/**
 * An exchange in which every rank trains at its own pace and counts its own rounds. A round is one
 * gradient of the rank and is complete as soon as that gradient is contributed. The model may be
 * updated at any time.
 *
 * <p><b>A checkpoint</b> empties the loop with a {@linkplain #flush() flush} and waits until all
 * ranks are {@linkplain #isQuiet() quiet}. It makes the following calls to each rank's exchange, in
 * this order:
 *
 * <pre>
 *   rank receives  rank answers    calls to its exchange
 *   -------------  ------------    ---------------------
 *   Freeze         Frozen          unreachable() is empty; nothing is contributed from this point
 *   HoldAfter                      flush()
 *                  Held            isQuiet(), asked again after every call until it returns true
 *   barrier                        deferredSteps() and Stateful states are written, with the model
 *                  Resumed         emptied(), resume()
 *
 *   or, if unreachable() is not empty, at Freeze or while isQuiet() returns false:
 *                  CannotHold      at this rank or at any other
 *   ResumeDeclined Resumed         resume()
 * </pre>
 *
 * <p>Before Freeze, every rank has verified that Flink's network delivers data from every other
 * rank ({@code PathProbes}). No checkpoint begins until it does. Links that chaos events cut do not
 * matter for this check. The barrier is released when all ranks are held. The checkpoint saves each
 * rank's own model, or the range that the rank serves. Events in the meantime:
 *
 * <ul>
 *   <li><b>Messages and deadlines</b> arrive in every phase (frozen, flushing or held) and may
 *       change the model. Other ranks may not be quiet yet, and a rank that heard nothing would
 *       take them for lost. A quiet rank still sends its round to a peer that has rejoined, and is
 *       not quiet again until that message has arrived; a server still answers; a relaying rank
 *       still relays. When all ranks are held, nothing that counts is in flight. Remaining
 *       messages, such as acknowledgements of answered or relayed messages, are dropped ({@link
 *       #emptied()}). Each rank resumes right after its own snapshot. Messages that it then sends
 *       wait at ranks that are still held, and are delivered after their {@link #resume()}.
 *   <li><b>A rank is unreachable</b>: the checkpoint is declined as soon as one rank detects this,
 *       and training continues. {@link #resume()} is called at all ranks in whatever phase they
 *       are: frozen, without a {@link #flush()}; flushing; or held. Nothing is undone, and no
 *       message is dropped: messages that a flush has begun to send are delivered and count. {@link
 *       #mayCompute()} may return false until there is room for more; a finished gradient is kept
 *       until then. All ranks wait until one detects the failure, which takes time-outs.
 *   <li><b>The checkpoint is aborted</b>: the sequence is not cut short. All ranks are held first,
 *       or the checkpoint is declined; then they resume. Possibly no state was written.
 * </ul>
 *
 * <p>A run also begins with {@link #resume()}; a restored run calls it right after its states are
 * read. When the run ends, {@link #end()} is called at each rank, possibly many times, until the
 * rank is quiet. A checkpoint with its own {@link #flush()} may occur meanwhile.
 */
public non-sealed interface Asynchronous extends Exchange {

  /**
   * Reports that a message sent by this rank has reached its receiver. The message's values must
   * not be read, because they may have been released.
   */
  default void arrived(Message message) {}

  /**
   * Sends everything that this exchange holds back. Called when this rank contributes nothing for a
   * while, because a checkpoint is due or training ends.
   */
  void flush();

  @Override
  default void end() {
    flush();
  }

  @Override
  boolean isQuiet();

  /**
   * Returns the ranks that prevent this rank from becoming {@linkplain #isQuiet() quiet} until they
   * rejoin: they are absent, and messages from this rank to them have not arrived. The list
   * contains this rank itself if it is the unreachable one, or has rejoined and waits for a copy of
   * the model.
   */
  default List<Integer> unreachable() {
    return List.of();
  }

  /**
   * Reports that all ranks were held for a checkpoint and that this rank resumes. Nothing that
   * counts was in flight, and messages that were in flight will not arrive. Called before {@link
   * #resume()}, but not if the checkpoint is declined.
   */
  default void emptied() {}

  /**
   * Reports whether this rank waits for other ranks for a reason outside the exchange. While it
   * waits, its {@linkplain Measured#absentRanks() list of absent ranks} must stay current although
   * the rank sends nothing.
   */
  default void awaitOthers(boolean waits) {}

  /**
   * Returns the optimiser steps for gradients that have arrived but are held back, to be applied
   * one by one. The model does not contain them yet; a checkpoint saves the model with all of them.
   */
  default List<Update.GradientSum> deferredSteps() {
    return List.of();
  }
}
