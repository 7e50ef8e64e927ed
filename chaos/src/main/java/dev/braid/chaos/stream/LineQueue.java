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
 * Lines that wait for a thread of their own, which hands them on in order: a disk or a broker may
 * be away for long, and a task must not wait for it. Beyond a bound, new lines are dropped and
 * counted.
 */
final class LineQueue implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LineQueue.class);

  static final int QUEUED_LINES = 20_000;

  private static final int LINES_AT_ONCE = 500;
  private static final long POLL_MILLIS = 100;
  private static final Duration FAREWELL = Duration.ofSeconds(3);

  /** Where lines go. All of it is called by the queue's thread. */
  interface Target {

    /** Makes ready for lines, and tries until it is; what an earlier run has left may go. */
    void open() throws InterruptedException;

    /** Hands lines on, and tries until they are there. */
    void deliver(List<String> lines) throws InterruptedException;

    /** No line has come for a moment. */
    default void rest() throws InterruptedException {}

    /** There are no more lines. */
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
   * A queue that is open.
   *
   * @param name of the target, for people
   */
  LineQueue(String name, Target target) {
    this(name, target, FAREWELL);
  }

  /**
   * A queue that is open.
   *
   * @param farewell how long it waits, when it is closed, for a target that is away
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

  /** Takes a line, and never waits. */
  void add(String line) {
    if (!queue.offer(line) && dropped++ == 0) {
      LOG.warn("{}: {} lines wait to be written; further lines are dropped", name, QUEUED_LINES);
    }
  }

  /** How many lines were dropped. */
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
          // One round trip for many: one after the other they would take one each.
          queue.drainTo(lines, LINES_AT_ONCE - 1);
          target.deliver(List.copyOf(lines));
          lines.clear();
        }
      }
    } catch (InterruptedException e) {
      LOG.warn("{}: {} lines or more were not written", name, queue.size() + 1);
    } catch (Throwable e) {
      // Of any kind: whoever misses lines finds out why.
      LOG.error("{}: nothing more is written", name, e);
    } finally {
      target.end();
    }
  }

  /** Hands on what waits, but does not wait long for a target that is away. */
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
