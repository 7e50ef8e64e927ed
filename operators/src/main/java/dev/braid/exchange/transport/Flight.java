package dev.braid.exchange.transport;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.message.Payload;

/**
 * How many messages may be under way to one peer: the least as a rule, and more where the number is
 * what holds messages up, as long as they are answered within {@value #RESPONSE_MILLIS} ms, or,
 * over a long way, within twice the time of a message that has the way to itself.
 *
 * <p>With w messages under way and answers after r, a link carries w/r messages a second (Little's
 * law), whatever its line bears. So as many as are answered within the time a that answers may take
 * are w·a/r, and that many may be under way next: more where answers come sooner and the number is
 * what held messages up, fewer where they come later, at most twice and at least half as many at a
 * time. On a line that is full r grows with w, and stays there.
 *
 * <p>It is a congestion window that goes by delay, as LEDBAT's (RFC 6817), and grows only where it
 * is used (RFC 7661). Two things differ. The bound is on the whole response time, and on what it is
 * longer than at its best only where that is long: on short ways most of it is threads that wait
 * for a processor, which a longest and a shortest time do not tell from a queue. And what is lost
 * says nothing: TCP is below, and faults that Braid injects are no full lines.
 */
public final class Flight {

  /** At least, however late answers are. */
  public static final int LEAST = 4;

  /** At most, however soon they come: half of what a receiver tells apart. */
  static final int MOST = Arrivals.SPAN / 2;

  /**
   * For no longer a message is to be under way where there are more than the least. It is no more:
   * with 400 ms, lines that are full in both directions are fuller, and gradients so much older
   * that ranks learn less of them.
   */
  private static final long RESPONSE_MILLIS = 100;

  private static final long RESPONSE_NANOS = RESPONSE_MILLIS * 1_000_000;

  /** How many times as long as at its best an answer may take. */
  private static final int LONGER = 2;

  /** A best time beyond this is no network's: its receiver stood still. */
  private static final long MOST_LEAST_NANOS = 1_000_000_000;

  private static final long NONE = -1;

  private int underWay;
  private int limit = LEAST;

  /** When a message was sent while none was under way, until the first answer. */
  private long aloneSinceNanos = NONE;

  /**
   * How long a message took at its best that was sent while none was under way; or as many as the
   * limit in the mean, where that is less, as on a full line none is ever alone.
   */
  private long leastNanos = Long.MAX_VALUE;

  /** Whether the first answers have come: those may be of a receiver that is still compiling. */
  private boolean isWarm;

  /** Whether more would have been sent since the limit changed. */
  private boolean wasFull;

  /** Sent before the limit was set, and not arrived: they tell of the one before. */
  private int earlier;

  /** Of those that were sent since, the first as many as the limit are measured. */
  private int sent;

  private int arrived;

  /** When those have arrived, less when they were sent; it does not matter which came first. */
  private long nanos;

  public int underWay() {
    return underWay;
  }

  /** How many may be under way. */
  int limit() {
    return limit;
  }

  /**
   * How many bytes of values may be under way to all peers together where one has more messages
   * under way than the least: as much as one link may have at most, and all others what they always
   * may.
   */
  public static long mostBytes(ExchangeConfig config) {
    int messages = Window.CHUNKS + LEAST * (config.ranks() - 1);
    return messages * Payload.Dense.bytesOf(config.plainChunkLength());
  }

  /**
   * Whether one more may be sent that waits.
   *
   * @param isLittleUnderWay whether so little is under way to all peers together that one may have
   *     more messages than the least
   */
  public boolean hasRoom(boolean isLittleUnderWay) {
    return hasRoom() && (isLittleUnderWay || underWay < LEAST);
  }

  /** The same where little is under way. */
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

  /** So long was the mean message under way. */
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

  /** The longest that answers may take where there are more than the least. */
  private long mayTakeNanos() {
    boolean isKnown = isWarm && leastNanos < MOST_LEAST_NANOS;
    return isKnown ? Math.max(RESPONSE_NANOS, LONGER * leastNanos) : RESPONSE_NANOS;
  }
}
