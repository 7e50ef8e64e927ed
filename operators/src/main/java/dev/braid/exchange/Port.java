package dev.braid.exchange;

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
   * Asks for a call of {@link Exchange#deadline()} at this time or soon after. Only the latest
   * request counts.
   */
  void wakeAt(long nanos);

  /** The weights, then the vectors of the updater's state, as they are now; to be read only. */
  float[][] model();

  /** Changes the model. */
  void update(Update update);

  /** For exchanges whose ranks may be left out. */
  default ViewPort views() {
    return ViewPort.NONE;
  }
}
