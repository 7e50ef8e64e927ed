package dev.braid.worker;

import java.util.function.Consumer;

/**
 * The one result that a trainer waits for from its compute thread. A trainer that has gone on
 * without it drops it; the thread is busy none the less until the result has come, and nothing else
 * may be begun meanwhile. So whatever comes late can neither be taken for something newer, nor be
 * computed while a buffer is in use.
 */
final class PendingResult {

  private final Runnable received;
  private final Runnable freed;

  private boolean isOutstanding;
  private boolean isDropped;

  /**
   * Of a thread that is free.
   *
   * @param received done first when a result comes, dropped or not
   * @param freed done when a dropped result has come
   */
  PendingResult(Runnable received, Runnable freed) {
    this.received = received;
    this.freed = freed;
  }

  /** Who is to be handed the result; it passes it on unless it is dropped before. */
  <T> Consumer<T> expect(Consumer<T> then) {
    if (isOutstanding) {
      throw new IllegalStateException("the compute thread has not answered yet");
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

  /** What is under way, if anything, is not wanted any more. */
  void drop() {
    isDropped = true;
  }

  boolean isOutstanding() {
    return isOutstanding;
  }
}
