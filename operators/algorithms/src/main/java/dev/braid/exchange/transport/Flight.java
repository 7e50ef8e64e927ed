package dev.braid.exchange.transport;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.message.Payload;

/**
 * A limit on the number of messages in flight to one peer. It is {@value #LEAST} as a rule, and
 * larger where the limit holds messages up and they are answered within {@value #RESPONSE_MILLIS}
 * ms. Over a long route, the answer may take twice the time of a message that has the route to
 * itself.
 *
 * <p>With w messages in flight and answers after r, a link carries w/r messages per second
 * (Little's law), whatever the line's bandwidth. If answers may take the time a, then w·a/r
 * messages can be answered within it, and that many may be in flight next. The limit grows if
 * answers arrive sooner and the limit held messages up. It shrinks if they arrive later. A change
 * at most doubles or halves it. On a full line r grows with w, and w stays there.
 *
 * <p>It is a delay-based congestion window like that of LEDBAT (RFC 6817), and grows only where it
 * is used (RFC 7661). Two things differ. First, the bound applies to the whole response time, and
 * is relative to the best response time only where that is long. On short routes most of the
 * response time is spent by threads that wait for a processor, which a longest and a shortest time
 * do not distinguish from a queue. Second, lost messages are ignored: TCP is below, and faults that
 * Braid injects are no full lines.
 */
public final class Flight {

  /**
   * Minimum limit, however late answers are: so many messages may always be in flight to a peer.
   * They keep the link busy where answers come soon, and the queue ahead of the next gradient
   * short. Together they take at most one of the ten network buffers that Flink queues on a channel
   * before it blocks the task. Messages that are {@value ExchangeConfig#SPARSE_CHUNKS} times as
   * long, because most values are 0, take at most eight.
   */
  public static final int LEAST = 4;

  /**
   * Maximum limit, however soon answers arrive: half of the messages that a receiver can tell
   * apart.
   */
  static final int MOST = Arrivals.SPAN / 2;

  /**
   * Maximum response time for a limit above {@link #LEAST}. With 400 ms instead, lines that are
   * full in both directions are fuller, and gradients are so much older that ranks learn less from
   * them.
   */
  private static final long RESPONSE_MILLIS = 100;

  private static final long RESPONSE_NANOS = RESPONSE_MILLIS * 1_000_000;

  /** Maximum ratio of the response time to the best response time. */
  private static final int LONGER = 2;

  /**
   * Largest plausible best response time of a network. A longer time means that the receiver had
   * paused.
   */
  private static final long MOST_LEAST_NANOS = 1_000_000_000;

  private static final long NONE = -1;

  private int underWay;
  private int limit = LEAST;

  /**
   * Time at which a message was sent while none was in flight, until the first answer; else {@link
   * #NONE}.
   */
  private long aloneSinceNanos = NONE;

  /**
   * Best response time, in nanoseconds: the least of the response times of messages that were sent
   * while none was in flight, and of the mean response times that have adjusted the limit. Means
   * are included because on a full line no message is ever alone.
   */
  private long leastNanos = Long.MAX_VALUE;

  /**
   * Whether the first answers have arrived. They may come from a receiver that is still compiling.
   */
  private boolean isWarm;

  /** Whether the limit has held up a message since it changed. */
  private boolean wasFull;

  /**
   * Number of messages in flight that were sent before the limit changed. They measure the previous
   * limit.
   */
  private int earlier;

  /**
   * Number of messages sent since the limit changed that are measured, at most the limit; {@link
   * #arrived} of them have arrived.
   */
  private int sent;

  private int arrived;

  /**
   * Sum of the arrival times of measured messages minus the sum of their send times. The order of
   * arrival does not matter.
   */
  private long nanos;

  public int underWay() {
    return underWay;
  }

  /** Returns the maximum number of messages in flight. */
  int limit() {
    return limit;
  }

  /**
   * Returns the bytes of values that may be in flight to all peers together while one peer has more
   * than {@link #LEAST} messages in flight: the maximum of one link, plus {@link #LEAST} messages
   * for each other link.
   */
  public static long mostBytes(ExchangeConfig config) {
    int messages = Window.CHUNKS + LEAST * (config.ranks() - 1);
    return messages * Payload.Dense.bytesOf(config.plainChunkLength());
  }

  /**
   * Returns whether one more message may be sent.
   *
   * @param isLittleUnderWay whether so little is in flight to all peers together that one peer may
   *     have more than {@link #LEAST} messages in flight
   */
  public boolean hasRoom(boolean isLittleUnderWay) {
    return hasRoom() && (isLittleUnderWay || underWay < LEAST);
  }

  /** Returns whether the limit permits one more message, and notes that it held one up if not. */
  boolean hasRoom() {
    boolean full = underWay >= limit;
    wasFull |= full;
    return !full;
  }

  public void sent(long nowNanos) {
    if (underWay == 0) {
      aloneSinceNanos = nowNanos;
    }
    underWay++;
    if (sent < limit) {
      sent++;
      nanos -= nowNanos;
    }
  }

  public void arrived(long nowNanos) {
    underWay--;
    if (aloneSinceNanos != NONE) {
      leastNanos = Math.min(leastNanos, nowNanos - aloneSinceNanos);
      aloneSinceNanos = NONE;
    }
    if (earlier > 0) {
      earlier--;
      return;
    }
    arrived++;
    nanos += nowNanos;
    if (arrived == limit) {
      adjust(nanos / arrived);
    }
  }

  /** Sets the next limit after a mean response time, in nanoseconds. */
  private void adjust(long responseNanos) {
    leastNanos = Math.min(leastNanos, responseNanos);
    long mayTakeNanos = mayTakeNanos();
    isWarm = true;
    boolean grows = wasFull && responseNanos > 0 && responseNanos < mayTakeNanos;
    if (grows) {
      limit = Math.min(MOST, (int) Math.min(2L * limit, limit * mayTakeNanos / responseNanos));
    } else if (responseNanos > mayTakeNanos) {
      limit = Math.max(LEAST, (int) Math.max(limit / 2, limit * mayTakeNanos / responseNanos));
    }
    wasFull = false;
    earlier = underWay;
    sent = 0;
    arrived = 0;
    nanos = 0;
  }

  /**
   * Returns the longest response time that permits a limit above {@link #LEAST}, in nanoseconds.
   */
  private long mayTakeNanos() {
    boolean isKnown = isWarm && leastNanos < MOST_LEAST_NANOS;
    return isKnown ? Math.max(RESPONSE_NANOS, LONGER * leastNanos) : RESPONSE_NANOS;
  }
}
