package dev.braid.exchange.membership;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.participation.Attendance;
import dev.braid.exchange.transport.Deadlines;
import dev.braid.exchange.transport.Transport;
import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * Finds out which ranks are absent, and tells an exchange, so that it goes on without them.
 *
 * <p>A rank is heard if it answers: there and back. So where a link is cut one way, both of its
 * ranks are absent to the other.
 *
 * <p>A rank that is not of the {@linkplain StrongestPart#isMajority majority} is itself the one
 * that is cut off: its exchange is told of nobody more, and waits for all but those that were
 * absent before, so that no rank trains alone on weights that nobody else has; but half of the
 * ranks with rank 0 among them count as a majority, so that of two ranks that lose each other one
 * goes on. As a rank that was not asked of late may be silent as well, all are asked before any is
 * absent; who has not answered yet is not heard.
 *
 * <p>Time-outs notice what is overdue only. A rank that waits for another's gradients may have
 * nothing under way to it: then it asks, twice a second.
 */
public final class RollCall {

  /** Little, next to how long it takes until a rank is silent. */
  private static final long INTERVAL_NANOS = 500_000_000;

  private final int rank;
  private final int ranks;
  private final Transport transport;
  private final Attendance attendance;

  /** Ranks that are silent, and not absent yet. */
  private final BitSet silent = new BitSet();

  /** Ranks that are absent, of which the exchange has been told. */
  private final BitSet absent = new BitSet();

  /** Whether the rank waits for others for more than its exchange. */
  private boolean awaitsOthers;

  private boolean isDue;
  private long deadlineNanos = Deadlines.NEVER;

  public RollCall(ExchangeConfig config, Transport transport, Attendance attendance) {
    this.rank = config.rank();
    this.ranks = config.ranks();
    this.transport = transport;
    this.attendance = attendance;
  }

  /** A rank is silent; {@link #update} follows. */
  public void silent(int other) {
    if (!absent.get(other)) {
      silent.set(other);
      isDue = true;
    }
  }

  /** The rank waits for others, though its exchange may not, or does so no longer. */
  public void awaitOthers(boolean waits) {
    awaitsOthers = waits;
  }

  private boolean isKeptWaiting() {
    return awaitsOthers || attendance.awaitsOthers();
  }

  /**
   * Something has happened: who is there, or whether the exchange waits, may have changed.
   *
   * @return whether a deadline is wanted that was not before
   */
  public boolean update(long nowNanos) {
    if (isDue) {
      isDue = false;
      callAll();
    }
    if (!absent.isEmpty()) {
      tellWhoIsBack();
    }
    if (!silent.isEmpty()) {
      tellWhoIsAbsent();
    }
    if (deadlineNanos < Deadlines.NEVER || !isKeptWaiting()) {
      return false;
    }
    deadlineNanos = nowNanos + INTERVAL_NANOS;
    return true;
  }

  public void deadline(long nowNanos) {
    if (deadlineNanos <= nowNanos) {
      deadlineNanos = Deadlines.NEVER;
      isDue |= isKeptWaiting();
    }
  }

  public long deadlineNanos() {
    return deadlineNanos;
  }

  /**
   * Whether this rank is the one that is cut off: too many are silent or absent for the rest to be
   * a majority.
   */
  public boolean isCutOff() {
    return !silent.isEmpty() && !isMajority(other -> !silent.get(other) && !absent.get(other));
  }

  private void callAll() {
    for (int other = 0; other < ranks; other++) {
      if (other != rank) {
        transport.call(other);
      }
    }
  }

  private void tellWhoIsBack() {
    for (int other = absent.nextSetBit(0); other >= 0; other = absent.nextSetBit(other + 1)) {
      if (transport.hears(other)) {
        absent.clear(other);
        attendance.back(other);
      }
    }
  }

  private void tellWhoIsAbsent() {
    if (silent.stream().anyMatch(transport::hears)) {
      // It may be the first of many, and this rank the one that is back: if not, the others will
      // be silent again.
      silent.clear();
    } else if (isMajority(transport::hears)) {
      absent.or(silent);
      silent.stream().forEach(attendance::absent);
      silent.clear();
    }
  }

  private boolean isMajority(IntPredicate others) {
    return StrongestPart.isMajority(ranks, other -> other == rank || others.test(other));
  }
}
