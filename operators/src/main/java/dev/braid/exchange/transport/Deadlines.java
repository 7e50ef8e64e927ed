package dev.braid.exchange.transport;

import dev.braid.exchange.Port;
import java.util.ArrayList;
import java.util.List;

/**
 * Several parts of one exchange, each with a deadline of its own, on the one that its {@link Port}
 * keeps: the port is asked for the earliest, and each part is called when its own has come.
 */
public final class Deadlines {

  /** Of a part that waits for no time. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The deadline of one part. */
  public final class Deadline {
    private final Runnable due;
    private long nanos = NEVER;

    private Deadline(Runnable due) {
      this.due = due;
    }

    /** Asks for a call at this time or soon after; only the latest request counts. */
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

  /** What the port was asked for last. */
  private long armedNanos = NEVER;

  public Deadlines(Port port) {
    this.port = port;
  }

  /**
   * The deadline of a part that has none yet. Of several that have come, those made first are
   * called first.
   *
   * @param due may ask for the next
   */
  public Deadline of(Runnable due) {
    Deadline part = new Deadline(due);
    parts.add(part);
    return part;
  }

  /** The time that the port was asked for has come. */
  public void deadline() {
    armedNanos = NEVER;
    long now = port.nowNanos();
    parts.forEach(part -> part.callIfDue(now));
    arm();
  }

  /** Asks the port anew: after a roll-back it has forgotten what it was asked for. */
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
