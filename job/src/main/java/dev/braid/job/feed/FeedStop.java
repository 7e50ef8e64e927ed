package dev.braid.job.feed;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A request to end a feed, which any thread may make. */
final class FeedStop {

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Requests the end. */
  void request() {
    requested.countDown();
  }

  /** Returns whether the end is requested. */
  boolean isRequested() {
    return requested.getCount() == 0;
  }

  /** Waits until the end is requested, or a time in nanoseconds has passed. */
  void await(long nanos) throws InterruptedException {
    var unused = requested.await(nanos, TimeUnit.NANOSECONDS);
  }

  /** Reports that the feed has ended, and that its result is printed. */
  void end() {
    ended.countDown();
  }

  /** Waits until the feed has ended; returns false if that takes longer than a time in seconds. */
  boolean awaitEnd(long seconds) {
    try {
      return ended.await(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
