package dev.braid.exchange;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

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
 */
public interface Exchange {

  /**
   * Whether the rank may start on the gradient of its next round. A barrier, a staleness bound or a
   * flush says no. Asked again after every call of any other method.
   */
  boolean mayCompute();

  /**
   * The rank's own gradient is ready. It is only called where {@link #mayCompute()} said yes, with
   * the round {@link #completedRounds()} for a synchronous exchange.
   */
  void contribute(Contribution local);

  /** A message for this rank has come. The exchange owns its values and releases them. */
  void receive(Message message);

  /**
   * A time asked for with {@link Port#wakeAt} has come. An exchange without time-outs never asks.
   */
  default void deadline() {}

  /** How many rounds are complete, that is, have handed all their updates to the port. */
  long completedRounds();

  /**
   * Forgets all that belongs to rounds which are not complete: what was contributed, received and
   * partly reduced. The caller sees to it that no message of those rounds arrives later. After this
   * the exchange is in the state that {@link #writeState} captures.
   */
  void rollBack();

  /**
   * Whether messages that come between a roll-back and the next contribution are for this exchange.
   * Where messages can be lost, a rank that has come to the end of the last round still answers
   * those that lag.
   */
  default boolean servesWhileHeld() {
    return false;
  }

  /**
   * Writes what lasts beyond a round (residuals, clocks). A synchronous exchange has nothing
   * between two rounds.
   */
  default void writeState(DataOutput out) throws IOException {}

  /** Reads what {@link #writeState} wrote, possibly on a rank of another number of ranks. */
  default void readState(DataInput in) throws IOException {}
}
