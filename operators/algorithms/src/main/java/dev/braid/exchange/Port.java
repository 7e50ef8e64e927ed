package dev.braid.exchange;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.ViewPort;
import dev.braid.vector.Range;
import java.util.OptionalDouble;

/**
 * All actions available to an exchange. The Flink operator, the simulator and unit tests each have
 * their own implementation.
 */
public interface Port extends Sender {

  /** Returns the time in nanoseconds from an arbitrary origin; virtual in the simulator. */
  long nowNanos();

  /**
   * Returns a message in the form in which this port sends it. A transport that keeps messages
   * until they have arrived calls this method before it numbers them. It thus keeps the form on the
   * wire and counts that form as in flight. If new values replace those of the message, the old
   * ones are released.
   *
   * <p>Only the port of a compression changes messages. An exchange that has its own transport puts
   * it on that port. The transport of an {@code ExchangeRunner} is below the compression: it
   * receives messages that are packed, and calls this method of the host's port, which returns them
   * unchanged.
   */
  default Message packed(Message message) {
    return message;
  }

  /**
   * Returns the rate, in bytes per second, at which links accepted data from this rank when it was
   * last measured on sent messages; links may be faster. Empty if unknown.
   */
  default OptionalDouble bytesPerSecond() {
    return OptionalDouble.empty();
  }

  /**
   * Requests a call of {@link Exchange#deadline()} at this time, in nanoseconds, or soon after.
   * Only the latest request counts.
   */
  void wakeAt(long nanos);

  /** Returns the current weights, then the vectors of the updater's state; read-only. */
  float[][] model();

  /** Applies an update to the model. */
  void update(Update update);

  /**
   * Moves the updater's state to another range and discards it elsewhere. Where the old and the new
   * range overlap, the state stays as it is.
   *
   * @param range the range that this rank {@linkplain Serving#served() serves} from this call on
   * @param steps number of steps that the updater has taken over the range
   * @throws UnsupportedOperationException if the served range is fixed
   */
  default void serve(Range range, long steps) {
    throw new UnsupportedOperationException("this port cannot change the range that a rank serves");
  }

  /**
   * Returns the function by which optimiser steps change the updater's state, for a copy of a part
   * of the state that the exchange keeps.
   *
   * @param part the range that the copy covers
   * @throws UnsupportedOperationException if the port supports no copies
   */
  default Remembering remembering(Range part) {
    throw new UnsupportedOperationException("this port keeps no copies of the updater's state");
  }

  /** The effect of an optimiser step on the updater's state over a part of the model. */
  @FunctionalInterface
  interface Remembering {

    /**
     * Applies a step to a copy of the state, with the same bits as a step on the state itself.
     *
     * @param state one array per vector of the state; index 0 is the part's start
     * @param sum sum of the gradients over the part
     * @param samples number of samples that it sums over, at least 1
     * @param steps number of steps taken before this one
     */
    void remember(float[][] state, float[] sum, long samples, long steps);
  }

  /** Counts a message that is about to be retransmitted, because it is lost or seems to be. */
  default void sendsAgain() {}

  /** Returns the port to the arbiter of views, for exchanges whose ranks may be excluded. */
  default ViewPort views() {
    return ViewPort.NONE;
  }
}
