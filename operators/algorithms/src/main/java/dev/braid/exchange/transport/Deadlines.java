package dev.braid.exchange.transport;

import dev.braid.exchange.Port;
import java.util.ArrayList;
import java.util.List;

/**
 * Separate deadlines for several parts of one exchange. The {@link Port} keeps one deadline, so it
 * is asked for the earliest; each part is called when its own deadline has passed.
 */
public final class Deadlines {

  /** Deadline of a part that waits for no time. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The deadline of one part. */
  public final class Deadline {
    private final Runnable due;
    private long nanos = NEVER;

    private Deadline(Runnable due) {
      this.due = due;
    }

    /**
     * Requests a call at this time, in nanoseconds, or soon after. Replaces the previous request.
     */
    public void at(long time) {
      nanos = time;
      arm();
    }

    private void callIfDue(long now) {
      if (nanos <= now) {
        nanos = NEVER;
        due.run();
      }
    }
  }

  private final Port port;
  private final List<Deadline> parts = new ArrayList<>();

  /** The time that the port was last asked for, in nanoseconds. */
  private long armedNanos = NEVER;

  public Deadlines(Port port) {
    this.port = port;
  }

  /**
   * Adds a part, which has no deadline yet. If several deadlines have passed, the parts that were
   * added first are called first.
   *
   * @param due called when the part's deadline has passed; may request the next one
   */
  public Deadline of(Runnable due) {
    Deadline part = new Deadline(due);
    parts.add(part);
    return part;
  }

  /**
   * Calls the parts whose deadlines have passed. The host calls this at the time that the port was
   * asked for.
   */
  public void deadline() {
    armedNanos = NEVER;
    long now = port.nowNanos();
    parts.forEach(part -> part.callIfDue(now));
    arm();
  }

  /**
   * Requests the earliest deadline from the port again. Called after a rollback, which removes or
   * postpones deadlines, so that the earlier request no longer counts.
   */
  public void askAgain() {
    armedNanos = NEVER;
    arm();
  }

  private void arm() {
    long next = NEVER;
    for (Deadline part : parts) {
      next = Math.min(next, part.nanos);
    }
    if (next < armedNanos) {
      armedNanos = next;
      port.wakeAt(next);
    }
  }
}
