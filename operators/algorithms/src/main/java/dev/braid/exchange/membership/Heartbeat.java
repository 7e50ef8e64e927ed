package dev.braid.exchange.membership;

import dev.braid.exchange.Port;
import dev.braid.exchange.transport.Deadlines;
import dev.braid.exchange.transport.Deadlines.Deadline;
import java.util.function.BooleanSupplier;

/**
 * Asks twice a second whether other ranks are present, while this rank waits for them. Time-outs
 * notice only overdue answers, and a rank that waits for others may have nothing in flight to them.
 */
final class Heartbeat {

  /** Interval between questions: short compared with the time after which a rank is silent. */
  private static final long INTERVAL_NANOS = 500_000_000;

  private final Port port;
  private final BooleanSupplier isKeptWaiting;
  private final Runnable ask;
  private final Deadline deadline;
  private boolean isSet;

  /**
   * Creates a heartbeat.
   *
   * @param isKeptWaiting returns whether the rank waits for others
   * @param ask asks the others
   */
  Heartbeat(Port port, Deadlines deadlines, BooleanSupplier isKeptWaiting, Runnable ask) {
    this.port = port;
    this.isKeptWaiting = isKeptWaiting;
    this.ask = ask;
    this.deadline = deadlines.of(this::due);
  }

  /** Sets the deadline if there is none, after a call that may have made the rank wait. */
  void update() {
    if (!isSet && isKeptWaiting.getAsBoolean()) {
      isSet = true;
      deadline.at(port.nowNanos() + INTERVAL_NANOS);
    }
  }

  private void due() {
    isSet = false;
    if (isKeptWaiting.getAsBoolean()) {
      ask.run();
    }
  }
}
