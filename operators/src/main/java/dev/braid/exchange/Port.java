package dev.braid.exchange;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.ViewPort;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.OptionalDouble;

/**
 * Everything an exchange may do to the world. The Flink operator, the simulator and unit tests each
 * have their own.
 */
public interface Port {

  /** The time, in nanoseconds from an arbitrary origin; virtual in the simulator. */
  long nowNanos();

  /**
   * Sends a message to another rank. The values are copied before the call returns, so a view of an
   * array that changes later is fine. Messages between the same two ranks arrive in order, unless
   * the link is faulty.
   */
  void send(Message message);

  /**
   * Sends a message and hands its values over, so that a transport, which may have to send them
   * again, keeps no copy. They are lent, and released once they are needed no more; or they are a
   * view of what its owner writes again only after the receiver has them.
   */
  default void handOver(Message message) {
    send(message);
    message.release();
  }

  /**
   * A message as this port sends it. A transport that keeps messages until they have arrived asks
   * for it before it numbers them: so it keeps what goes, and counts that where it counts what is
   * under way. The message's values are released if others take their place.
   */
  default Message packed(Message message) {
    return message;
  }

  /**
   * How many bytes a second links take from this rank, as it was measured last on what was sent;
   * they may be faster. None where that is not known.
   */
  default OptionalDouble bytesPerSecond() {
    return OptionalDouble.empty();
  }

  /**
   * Asks for a call of {@link Exchange#deadline()} at this time or soon after. Only the latest
   * request counts.
   */
  void wakeAt(long nanos);

  /** The weights, then the vectors of the updater's state, as they are now; to be read only. */
  float[][] model();

  /** Changes the model. */
  void update(Update update);

  /**
   * Changes the model, and adds the same values to a vector of the exchange's own. Who has the
   * model can do both in one pass over memory, which is what they wait for.
   *
   * @param total of the model's length; changed over the step's range
   */
  default void updateAndAdd(Update.GradientSum step, float[] total) {
    update(step);
    Vectors.add(total, step.range().start(), step.values());
  }

  /**
   * Keeps the updater's state over another range from now on, and nowhere else: over what is in
   * both, it is what it was.
   *
   * @param range which this rank {@linkplain Serving#served() serves}
   * @param steps how many steps the updater has taken over it
   */
  default void serve(Range range, long steps) {
    throw new UnsupportedOperationException("this port cannot change the range that a rank serves");
  }

  /**
   * What the model's steps do to the updater's state, for a copy of a part of it that the exchange
   * keeps.
   *
   * @param part over which the state is
   */
  default Remembering remembering(Range part) {
    throw new UnsupportedOperationException("this port keeps no copies of the updater's state");
  }

  /** What a step does to the updater's state over a part of the model. */
  @FunctionalInterface
  interface Remembering {

    /**
     * Changes a copy of the state as a step changes the state, to the same bits.
     *
     * @param state by vector, from the part's start on
     * @param sum of the gradients over the part
     * @param samples how many it sums over, at least 1
     * @param steps how many have been taken before
     */
    void remember(float[][] state, float[] sum, long samples, long steps);
  }

  /** A message is about to be sent again that was lost, or seemed to be; for statistics. */
  default void sendsAgain() {}

  /** For exchanges whose ranks may be left out. */
  default ViewPort views() {
    return ViewPort.NONE;
  }
}
