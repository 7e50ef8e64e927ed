package dev.braid.exchange.membership;

import dev.braid.exchange.Deadlines;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.transport.Transport;
import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * Finds out which ranks can be reached, and tells an exchange, so that it goes on without those
 * that cannot.
 *
 * <p>A rank can be reached if it answers: there and back. So where a link is cut one way, both of
 * its ranks find the other away.
 *
 * <p>A rank that hears less than a majority, or of exactly half not the half with rank 0, is itself
 * the one that is cut off: its exchange is told nothing, and waits for all, so that no rank trains
 * alone on weights that nobody else has. As a rank that was not asked of late may be out of reach
 * as well, all are asked before any is told to have left; who has not answered yet is not heard.
 *
 * <p>Time-outs notice what is overdue only. A rank that waits for another's gradients may have
 * nothing under way to it: then it asks, twice a second.
 */
public final class RollCall {

  /** Little, next to how long it takes until a rank counts as lost. */
  private static final long INTERVAL_NANOS = 500_000_000;

  private final int rank;
  private final int ranks;
  private final Transport transport;
  private final Attendance exchange;

  /** Ranks without an answer for long, of which the exchange has not been told. */
  private final BitSet lost = new BitSet();

  /** Ranks of which it has been told that they have left. */
  private final BitSet left = new BitSet();

  /** Whether the rank waits for others for more than its exchange. */
  private boolean awaitsOthers;

  private boolean isDue;
  private long deadlineNanos = Deadlines.NEVER;

  public RollCall(ExchangeConfig config, Transport transport, Attendance exchange) {
    this.rank = config.rank();
    this.ranks = config.ranks();
    this.transport = transport;
    this.exchange = exchange;
  }

  /** The transport gets no answer from a rank for long; {@link #update} follows. */
  public void lost(int other) {
    if (!left.get(other)) {
      lost.set(other);
      isDue = true;
    }
  }

  /** The rank waits for others, though its exchange may not, or does so no longer. */
  public void awaitOthers(boolean waits) {
    awaitsOthers = waits;
  }

  private boolean isKeptWaiting() {
    return awaitsOthers || exchange.isKeptWaiting();
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
    if (!left.isEmpty()) {
      tellWhoIsBack();
    }
    if (!lost.isEmpty()) {
      tellWhoHasLeft();
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
   * Whether this rank is the one that is cut off: too many are without an answer for long for the
   * rest to be a majority.
   */
  public boolean isCutOff() {
    return !lost.isEmpty() && !isMajority(other -> !lost.get(other) && !left.get(other));
  }

  private void callAll() {
    for (int other = 0; other < ranks; other++) {
      if (other != rank) {
        transport.call(other);
      }
    }
  }

  private void tellWhoIsBack() {
    for (int other = left.nextSetBit(0); other >= 0; other = left.nextSetBit(other + 1)) {
      if (transport.hears(other)) {
        left.clear(other);
        exchange.back(other);
      }
    }
  }

  private void tellWhoHasLeft() {
    if (lost.stream().anyMatch(transport::hears)) {
      // It may be the first of many, and this rank the one that is back: if not, the others will
      // be lost again.
      lost.clear();
    } else if (isMajority(transport::hears)) {
      left.or(lost);
      lost.stream().forEach(exchange::left);
      lost.clear();
    }
  }

  /** Whether this rank and those of the others are more than half, or half with rank 0. */
  private boolean isMajority(IntPredicate others) {
    int count = 1;
    for (int other = 0; other < ranks; other++) {
      count += other != rank && others.test(other) ? 1 : 0;
    }
    boolean hasFirst = rank == 0 || others.test(0);
    return 2 * count > ranks || (2 * count == ranks && hasFirst);
  }
}
