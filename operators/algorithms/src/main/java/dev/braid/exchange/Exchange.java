package dev.braid.exchange;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.Participation;
import dev.braid.exchange.participation.Planning;

/**
 * An algorithm by which ranks share gradients, as a pure state machine: it receives events as calls
 * and acts through its {@link Port}. It starts no thread, reads no clock of its own and draws only
 * the randomness that it is given. The same class therefore runs in a Flink operator, in a
 * simulator with a thousand ranks and in a unit test, and a run can be repeated bit for bit.
 *
 * <p>All calls come from one thread, and none may block. An exchange learns of a faulty link only
 * as a real program would: messages do not arrive.
 *
 * <p>One round, as one rank sees it:
 *
 * <pre>
 *   mayCompute() = true ── the host computes a gradient ────▶ contribute(round r)
 *        ▲                                                        │ send, receive …
 *        └── completedRounds() = r + 1 and port.update(…) ◀───────┘
 * </pre>
 *
 * <p>In a synchronous exchange, the last update of a round and its completion are in one call.
 * Within {@code port.update} the round may already count as complete, and {@code mayCompute()} may
 * be true.
 *
 * <p>Every exchange is either {@link Synchronous} (ranks wait for each other) or {@link
 * Asynchronous}. The two differ in how a checkpoint empties the loop; each interface lists the
 * calls that a checkpoint makes. Optional abilities are separate interfaces: {@link Serving},
 * {@link Stateful}, {@link Measured}, {@link Planning}. A host calls an exchange through its {@link
 * dev.braid.exchange.runner.ExchangeRunner}. An exchange {@linkplain #participation() declares}
 * which ranks take part when some are unreachable.
 */
public sealed interface Exchange permits Synchronous, Asynchronous {

  /**
   * Returns whether the rank may start computing the gradient of its next round. Returns false
   * because of a barrier or a staleness bound, and always at a rank that only serves. A flush need
   * not make it false: the host starts no gradient while its loop is held. The host asks again
   * after every call of any other method.
   */
  boolean mayCompute();

  /**
   * Takes the rank's own gradient for round {@link #completedRounds()}. {@link #mayCompute()} was
   * true when the computation began. In an asynchronous exchange, and in one that uses {@linkplain
   * Participation.InViews views}, it may have become false since, but must be true at this call.
   * The caller keeps the gradient until then, or until the round is complete without that gradient.
   *
   * @throws IllegalStateException if the gradient belongs to another round; or if the exchange uses
   *     views and {@link #mayCompute()} is false. An asynchronous exchange does not always detect a
   *     call while it is false
   */
  void contribute(Contribution local);

  /** Handles a message for this rank. The exchange owns the message's values and releases them. */
  void receive(Message message);

  /**
   * Handles a deadline requested with {@link Port#wakeAt}. An exchange without time-outs requests
   * none.
   */
  default void deadline() {}

  /**
   * Returns the number of complete rounds. The exchange needs no further gradient for a complete
   * round; a synchronous exchange has also passed all of the round's updates to the port.
   */
  long completedRounds();

  /** Returns how the ranks determine who takes part; constant for an exchange. */
  default Participation participation() {
    return new Participation.OfAll();
  }

  /** Signals that this rank has no more contributions. May be called repeatedly. */
  default void end() {}

  /**
   * Returns whether this rank has nothing left to send and knows that everything it sent has
   * arrived. The rank stays quiet until it contributes again, an absent peer rejoins and receives
   * the round, or the rank enters a view in which it lacks data. When all ranks are quiet, nothing
   * that counts is in flight.
   */
  default boolean isQuiet() {
    return true;
  }

  /**
   * Resumes after a checkpoint, whatever its outcome: after a rollback, or after a flush, which may
   * be unfinished or not even begun. Also called when a run begins, after its {@linkplain Stateful
   * states} are read. Called at all ranks.
   */
  default void resume() {}
}
