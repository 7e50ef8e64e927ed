package dev.braid.chaos.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queue of lines, which a thread of its own delivers in order: a disk or a broker may be
 * unavailable for long, and a task must not wait for it. Beyond a limit, new lines are dropped and
 * counted.
 */
final class LineQueue implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LineQueue.class);

  static final int QUEUED_LINES = 20_000;

  private static final int LINES_AT_ONCE = 500;
  private static final long POLL_MILLIS = 100;
  private static final Duration FAREWELL = Duration.ofSeconds(3);

  /** Target of the lines. The queue's thread calls all of its methods. */
  interface Target {

    /**
     * Prepares the target, and retries until it is ready; may delete what an earlier run has left.
     */
    void open() throws InterruptedException;

    /** Delivers lines, and retries until they are delivered. */
    void deliver(List<String> lines) throws InterruptedException;

    /** Called when no line has come for a moment. */
    default void rest() throws InterruptedException {}

    /** Called when there are no more lines. */
    void end();
  }

  private final String name;
  private final Target target;
  private final long farewellMillis;
  private final BlockingQueue<String> queue = new LinkedBlockingQueue<>(QUEUED_LINES);
  private final Thread thread;
  private volatile boolean closing;
  private long dropped;

  /**
   * Creates an open queue.
   *
   * @param name name of the target, for people
   */
  LineQueue(String name, Target target) {
    this(name, target, FAREWELL);
  }

  /**
   * Creates an open queue.
   *
   * @param farewell how long {@link #close} waits for a target that is unavailable
   */
  LineQueue(String name, Target target, Duration farewell) {
    this.name = name;
    this.target = target;
    this.farewellMillis = farewell.toMillis();
    this.thread = new Thread(this::run, "braid-log-" + name);
    thread.setDaemon(true);
    thread.setContextClassLoader(LineQueue.class.getClassLoader());
    thread.start();
  }

  /** Adds a line, without waiting. */
  void add(String line) {
    if (!queue.offer(line) && dropped++ == 0) {
      LOG.warn("{}: {} lines wait to be written; further lines are dropped", name, QUEUED_LINES);
    }
  }

  /** Returns the number of dropped lines. */
  long dropped() {
    return dropped;
  }

  private void run() {
    try {
      target.open();
      List<String> lines = new ArrayList<>();
      while (!closing || !queue.isEmpty()) {
        String first = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        if (first == null) {
          target.rest();
        } else {
          lines.add(first);
          // One round trip for many lines; separately, each line would take one.
          queue.drainTo(lines, LINES_AT_ONCE - 1);
          target.deliver(List.copyOf(lines));
          lines.clear();
        }
      }
    } catch (InterruptedException e) {
      LOG.warn("{}: {} lines or more were not written", name, queue.size() + 1);
    } catch (Throwable e) {
      // Log failures of any kind, so that a user who misses lines can find the reason.
      LOG.error("{}: nothing more is written", name, e);
    } finally {
      target.end();
    }
  }

  /** Delivers the waiting lines, but does not wait long for a target that is unavailable. */
  @Override
  public void close() {
    closing = true;
    if (dropped > 0) {
      LOG.warn("{}: {} lines were dropped", name, dropped);
    }
    try {
      thread.join(farewellMillis);
      thread.interrupt();
      thread.join(farewellMillis);
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
