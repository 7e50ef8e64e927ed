package dev.braid.exchange.membership;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.participation.Attendance;
import dev.braid.exchange.transport.Deadlines;
import dev.braid.exchange.transport.Transport;
import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * Finds out which ranks are absent and informs an exchange, so that it continues without them.
 *
 * <p>A rank hears another if the other has answered since it was last asked. This needs both
 * directions of the link: if one is cut, each of the two ranks is absent to the other.
 *
 * <p>A rank declares others absent only if it hears a {@linkplain StrongestPart#isMajority
 * majority}, itself included. Otherwise it is itself excluded: its exchange is informed of no
 * further absent ranks, and waits for all except those that were absent before. So no rank trains
 * in isolation on weights that no other rank has. Half of the ranks count as a majority if rank 0
 * is among them, so that one of two ranks continues when they lose each other.
 *
 * <p>Ranks that were not asked recently may have become unreachable without notice. Therefore all
 * ranks are asked before any is declared absent, and a rank is not heard until it has answered.
 *
 * <p>A rank that waits for another's gradients asks all ranks twice a second ({@link Heartbeat}).
 */
public final class RollCall {

  private final int rank;
  private final int ranks;
  private final Transport transport;
  private final Attendance attendance;
  private final Heartbeat heartbeat;

  /** Ranks that are silent but not absent yet. */
  private final BitSet silent = new BitSet();

  /** Absent ranks, of which the exchange has been informed. */
  private final BitSet absent = new BitSet();

  /** Whether the rank waits for others for a reason outside its exchange. */
  private boolean awaitsOthers;

  private boolean isDue;

  public RollCall(
      ExchangeConfig config,
      Port port,
      Deadlines deadlines,
      Transport transport,
      Attendance attendance) {
    this.rank = config.rank();
    this.ranks = config.ranks();
    this.transport = transport;
    this.attendance = attendance;
    this.heartbeat = new Heartbeat(port, deadlines, this::isKeptWaiting, () -> isDue = true);
  }

  /** Notes that a rank is silent. The caller must call {@link #update} afterwards. */
  public void silent(int other) {
    if (!absent.get(other)) {
      silent.set(other);
      isDue = true;
    }
  }

  /** Sets whether the rank waits for others for a reason outside its exchange. */
  public void awaitOthers(boolean waits) {
    awaitsOthers = waits;
  }

  private boolean isKeptWaiting() {
    return awaitsOthers || attendance.awaitsOthers();
  }

  /**
   * Checks which ranks are present and whether the exchange waits, after a call that may have
   * changed either.
   */
  public void update() {
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
    heartbeat.update();
  }

  /**
   * Returns whether this rank is itself excluded: too many ranks are silent or absent for the rest
   * to be a majority.
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
      // This may be the first of many answers, if this rank itself was unreachable. If not, the
      // others will be silent again.
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
