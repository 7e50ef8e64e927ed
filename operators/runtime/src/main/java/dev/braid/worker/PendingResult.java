package dev.braid.worker;

import java.util.function.Consumer;

/**
 * The single result that a trainer waits for from its compute thread. A trainer that has moved on
 * drops the result, but the thread stays busy until the result arrives, and nothing else may begin
 * until then. A late result can therefore neither be mistaken for a newer one, nor be computed from
 * a buffer that is in use.
 */
final class PendingResult {

  private final Runnable received;
  private final Runnable freed;

  private boolean isOutstanding;
  private boolean isDropped;

  /**
   * Creates the object for an idle compute thread.
   *
   * @param received runs first when a result arrives, dropped or not
   * @param freed runs when a dropped result has arrived
   */
  PendingResult(Runnable received, Runnable freed) {
    this.received = received;
    this.freed = freed;
  }

  /**
   * Returns the receiver of the next result, which passes it to {@code then} unless it is dropped.
   */
  <T> Consumer<T> expect(Consumer<T> then) {
    if (isOutstanding) {
      throw new IllegalStateException("the compute thread has no result yet");
    }
    isOutstanding = true;
    isDropped = false;
    return result -> {
      isOutstanding = false;
      received.run();
      if (isDropped) {
        freed.run();
      } else {
        then.accept(result);
      }
    };
  }

  /** Drops the result in progress, if any. */
  void drop() {
    isDropped = true;
  }

  boolean isOutstanding() {
    return isOutstanding;
  }
}
