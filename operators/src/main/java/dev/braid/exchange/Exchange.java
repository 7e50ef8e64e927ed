package dev.braid.exchange;

import dev.braid.exchange.message.Message;
import dev.braid.vector.Range;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

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
   * Whether ranks wait for each other, so that a run can be repeated bit for bit, and ends with the
   * same model at all. The model is updated only while they may not compute. If not, every rank
   * counts rounds of its own: a round is one gradient of the rank's, complete as soon as it is
   * contributed, and the model may be updated at any time.
   *
   * <p>A checkpoint empties the loop in one of two ways: synchronous exchanges bring a common round
   * to its end and {@linkplain #rollBack() roll back} what is beyond; asynchronous ones {@linkplain
   * #flush() flush} until they are {@linkplain #isQuiet() quiet}.
   */
  default boolean isSynchronous() {
    return true;
  }

  /**
   * Whether the rank may start on the gradient of its next round. A barrier, a staleness bound or a
   * flush says no; a rank that only serves never may. Asked again after every call of any other
   * method.
   */
  boolean mayCompute();

  /**
   * The rank's own gradient is ready. It is only called where {@link #mayCompute()} said yes when
   * it was begun, with the round {@link #completedRounds()} for a synchronous exchange; and where
   * it says yes, for an asynchronous one.
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

  /**
   * How many steps are complete that all ranks take together: rounds, or averages; or are so far
   * that they can not be rolled back any more, and need no gradient to be completed. A checkpoint
   * of a synchronous exchange brings the last one of any rank to its end.
   */
  default long jointRounds() {
    return completedRounds();
  }

  /** How far the model here lags behind, if the rank computed a gradient from it now. */
  default Staleness staleness() {
    return Staleness.NONE;
  }

  /** What the cost model goes by, where an exchange has one. */
  default Optional<BandwidthUse> bandwidthUse() {
    return Optional.empty();
  }

  /**
   * How many vectors of the model's length an asynchronous exchange of gradients or models keeps
   * here beside the model and the rank's own gradient: what is accumulated for others, what waits
   * to be sent, what has come and is held back. 0 where nothing of that is.
   */
  default int keptVectors() {
    return 0;
  }

  /**
   * Ranks that this one goes on without, as they cannot be reached. It knows of those that it has
   * something to send to.
   */
  default List<Integer> absent() {
    return List.of();
  }

  /**
   * Whether this rank has nothing left to do for the first so many joint rounds. One that both
   * serves and computes may have completed a round in the one role and not yet in the other.
   */
  default boolean isThrough(long rounds) {
    return jointRounds() >= rounds;
  }

  /**
   * The range of the model that this rank serves: its copy is the one that counts, for checkpoints
   * and in the end. None in an exchange without servers.
   */
  default Optional<Range> served() {
    return Optional.empty();
  }

  /**
   * Whether a checkpoint finds the same model at all ranks. If not, each rank's is saved, and
   * restored at the same number of ranks. Where ranks {@linkplain #served() serve}, only what they
   * serve is saved.
   */
  default boolean replicasAgree() {
    return isSynchronous();
  }

  /**
   * Sends all that is kept back, as this rank will contribute nothing for a while: a checkpoint is
   * due, or training ends. A synchronous exchange is asked for the latter only.
   */
  default void flush() {}

  /** As {@link #flush()}, as this rank will contribute nothing any more. May come again. */
  default void end() {
    flush();
  }

  /**
   * Whether nothing is kept back here, and all that this rank has sent is known to have arrived. It
   * stays so until the rank contributes again: an answer to a message never undoes it. When all
   * ranks are quiet, nothing is in flight that counts.
   */
  default boolean isQuiet() {
    return true;
  }

  /**
   * Ranks that keep this one from getting {@linkplain #isQuiet() quiet} before they are back: they
   * cannot be reached, as far as is known by now, and something of what this rank sends them has
   * not arrived. It is one of them itself where it is the one that is cut off.
   */
  default List<Integer> unreachable() {
    return List.of();
  }

  /**
   * Steps along gradients that have come and are held back, to be made one by one; none of them is
   * in the model. A checkpoint saves the model with all of them.
   */
  default List<Update.GradientSum> heldBack() {
    return List.of();
  }

  /**
   * Forgets all that belongs to rounds which are not complete: what was contributed, received and
   * partly reduced. The caller sees to it that no message of those rounds arrives later. After this
   * the exchange is in the state that {@link #writeState} captures. An asynchronous exchange is
   * never asked to.
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

  /** This exchange as one that goes on without ranks that are cut off, if it is. */
  default Optional<Elastic> elastic() {
    return Optional.empty();
  }

  /**
   * Goes on after a roll-back, a flush, or after {@link #readState}; all ranks do. A flush need not
   * have come to its end.
   */
  default void goOn() {}

  /**
   * Writes what lasts beyond a round (residuals, clocks), while this rank is quiet. A synchronous
   * exchange has nothing between two rounds.
   */
  default void writeState(DataOutput out) throws IOException {}

  /**
   * Reads what {@link #writeState} wrote on this rank, before anything else happens. At another
   * number of ranks than before, or after {@linkplain StateFormat another exchange}, it is not
   * called: the exchange then begins anew, at {@link ExchangeConfig#completedRounds()}.
   */
  default void readState(DataInput in) throws IOException {}
}
