package dev.braid.exchange;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.Participation;
import dev.braid.exchange.participation.Planning;

/**
 * An algorithm by which ranks share gradients, as a pure state machine: it is told what happens and
 * answers through its {@link Port}. It starts no thread, reads no clock of its own and draws no
 * randomness that was not given to it, so the same class runs in a Flink operator, in a simulator
 * with a thousand ranks and in a unit test, and a run can be repeated bit for bit.
 *
 * <p>All calls come from one thread, and none may block. An exchange never learns that a link is
 * faulty except as a real program would: messages do not come.
 *
 * <p>The life of one round, from the view of one rank:
 *
 * <pre>
 *   mayCompute() = true ── gradient is computed elsewhere ──▶ contribute(round r)
 *        ▲                                                        │ send, receive …
 *        └── completedRounds() = r + 1 ◀── port.update(…) ◀───────┘
 * </pre>
 *
 * <p>Ranks wait for each other, or they do not: every exchange is {@link Synchronous} or {@link
 * Asynchronous}, which differ in how a checkpoint empties the loop: each says what that asks of an
 * exchange, step by step. What only some are besides has contracts of its own: {@link Serving},
 * {@link Stateful}, {@link Measured}, {@link Planning}. A host finds them in {@link
 * HostedExchange}, as an exchange may be wrapped by one that has the others. Who takes part when
 * ranks are cut off, it {@linkplain #participation() declares}.
 */
public sealed interface Exchange permits Synchronous, Asynchronous {

  /**
   * Whether the rank may start on the gradient of its next round. A barrier or a staleness bound
   * says no; a rank that only serves never may. A flush need not say no: the host begins nothing
   * while its loop is held. Asked again after every call of any other method.
   */
  boolean mayCompute();

  /**
   * The rank's own gradient is ready, of the round {@link #completedRounds()}. It is only called
   * where {@link #mayCompute()} said yes when it was begun; and where it says yes now, for an
   * asynchronous exchange and for one that goes {@linkplain Participation.InViews by views}: where
   * these say no, the caller keeps the gradient until they say yes, or the round is complete
   * without it.
   *
   * @throws IllegalStateException if the gradient is of another round; or if the exchange goes by
   *     views and {@link #mayCompute()} says no
   */
  void contribute(Contribution local);

  /** A message for this rank has come. The exchange owns its values and releases them. */
  void receive(Message message);

  /**
   * A time asked for with {@link Port#wakeAt} has come. An exchange without time-outs never asks.
   */
  default void deadline() {}

  /**
   * How many rounds are complete, that is, do not need their gradient any more; for a synchronous
   * exchange, have handed all their updates to the port.
   */
  long completedRounds();

  /** How its ranks know who takes part; always the same. */
  default Participation participation() {
    return new Participation.OfAll();
  }

  /** This rank will contribute nothing any more. May come again. */
  default void end() {}

  /**
   * Whether nothing for others is left here, and all that this rank has sent is known to have
   * arrived. It stays so until the rank contributes again, an absent peer is back, which is told
   * the round, or the rank enters a view in which it lacks something. When all ranks are quiet,
   * nothing is in flight that counts.
   */
  default boolean isQuiet() {
    return true;
  }

  /**
   * Goes on after a checkpoint, whatever has become of it: after a roll-back, or a flush, which
   * need not have come to its end, nor have begun. Also when a run begins, after its {@linkplain
   * Stateful states} are read. All ranks do.
   */
  default void goOn() {}
}
