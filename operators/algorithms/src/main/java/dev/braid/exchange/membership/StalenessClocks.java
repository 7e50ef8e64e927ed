package dev.braid.exchange.membership;

import dev.braid.exchange.Staleness;
import dev.braid.exchange.state.StateReader;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The number of gradients that each rank has computed, as far as this rank knows, and whether this
 * rank may compute another: the bound of stale synchronous parallel, without a server (Ako §3.3;
 * Algorithm 1, lines 3, 11 and 14).
 *
 * <p>The paper counts a peer's messages. Here a message states its sender's clock, so that a
 * message that is late or merged with the next counts for what it contains.
 *
 * <p>An absent rank does not count. When it rejoins, its clock is far behind, and the others would
 * have to wait until it has caught up. Therefore its lag behind the slowest of them is forgiven,
 * and its clock counts as theirs. Forgiving must not put a rank ahead of the others: as the rank
 * catches up, less is forgiven. A rank that has continued elsewhere has nothing forgiven once a
 * message states its clock.
 */
public final class StalenessClocks {

  private static final long NEVER_REACHED = Long.MAX_VALUE;

  private final int rank;
  private final long start;
  private final long[] clocks;

  /** By rank: number of gradients that is added to its clock when it counts. */
  private final long[] forgiven;

  private final BitSet nobody = new BitSet();
  private final BitSet disregarded = new BitSet();
  private final BitSet absent = new BitSet();

  /**
   * Clock of the slowest rank when it was last determined. This is a lower bound. Clocks never
   * decrease, and a rank to which something is forgiven counts at least as much as the slowest of
   * the others, both when it rejoins and when less is forgiven.
   */
  private long slowestSeen;

  /** Creates clocks that all have the value {@code start}. */
  public StalenessClocks(int rank, int ranks, long start) {
    this.rank = rank;
    this.start = start;
    this.clocks = new long[ranks];
    this.forgiven = new long[ranks];
    Arrays.fill(clocks, start);
    this.slowestSeen = start;
  }

  /** Returns this rank's own clock. */
  public long own() {
    return clocks[rank];
  }

  /** Returns a rank's clock. */
  public long of(int other) {
    return clocks[other];
  }

  /**
   * Advances the clock of a rank, possibly this one, to a number of gradients. A clock never
   * decreases.
   */
  public void advance(int of, long gradients) {
    if (gradients > clocks[of]) {
      clocks[of] = gradients;
      if (forgiven[of] > 0) {
        forgiven[of] = Math.min(forgiven[of], behindOthers(of));
      }
    }
  }

  /**
   * Excludes a rank from the bound for good, because this rank receives none of its gradients even
   * if it is present.
   */
  public void disregard(int of) {
    disregarded.set(of);
  }

  /** Excludes an absent rank from the bound. */
  public void markAbsent(int of) {
    absent.set(of);
  }

  /** Includes a rank that has rejoined, as if it had kept up with the slowest of the others. */
  public void back(int of) {
    absent.clear(of);
    forgiven[of] = behindOthers(of);
  }

  /** Returns the absent ranks, ascending. Called often, and mostly there are none. */
  public List<Integer> absent() {
    return absent.isEmpty() ? List.of() : absent.stream().boxed().toList();
  }

  /** Returns how many gradients a rank is behind the slowest of the others. */
  private long behindOthers(int of) {
    BitSet only = new BitSet();
    only.set(of);
    long slowest = slowestExcept(only);
    return slowest == NEVER_REACHED ? 0 : Math.max(0, slowest - clocks[of]);
  }

  private boolean counts(int other) {
    return !disregarded.get(other) && !absent.get(other);
  }

  /**
   * Returns the number of gradients that the slowest rank has computed, of the ranks that count.
   */
  public long slowest() {
    slowestSeen = slowestExcept(nobody);
    return slowestSeen;
  }

  /**
   * Returns the number of gradients that the slowest rank has computed, of the ranks that count and
   * are not in {@code some}.
   */
  public long slowestExcept(BitSet some) {
    long slowest = NEVER_REACHED;
    for (int other = 0; other < clocks.length; other++) {
      if (!some.get(other) && counts(other)) {
        slowest = Math.min(slowest, clocks[other] + forgiven[other]);
      }
    }
    return slowest;
  }

  /** Returns whether this rank is at most {@code bound} gradients ahead of the slowest. */
  public boolean allow(long bound) {
    long least = own() - bound;
    return least <= slowestSeen || least <= slowest();
  }

  /**
   * Returns the total number of gradients by which all ranks except {@code of} are behind a clock.
   */
  public long lag(int of, long clock) {
    long lag = 0;
    for (int other = 0; other < clocks.length; other++) {
      lag += other == of ? 0 : Math.max(0, clock - clocks[other]);
    }
    return lag;
  }

  /**
   * Returns how far this rank's model lags behind. A round counts as received with its first chunk.
   *
   * @param ranges number of parts of the model, of which each round of a peer brings one, in turn.
   *     The part that arrived last has all of the peer's gradients up to its clock, the one before
   *     lacks one gradient, and so on. 1 if a round brings all parts
   */
  public Staleness staleness(int ranges) {
    long most = own() - start;
    double sum = 0;
    long worst = 0;
    int peers = 0;
    for (int peer = 0; peer < clocks.length; peer++) {
      if (peer != rank && counts(peer)) {
        long behind = own() - clocks[peer] - forgiven[peer];
        sum += Math.min((double) most, meanOfNotNegative(behind, behind + ranges - 1));
        worst = Math.max(worst, Math.min(most, behind + ranges - 1));
        peers++;
      }
    }
    return peers == 0 ? Staleness.NONE : new Staleness(sum / peers, worst);
  }

  /** Returns the mean of all integers from first to last, with negative ones counted as 0. */
  private static double meanOfNotNegative(long first, long last) {
    long least = Math.max(0, first);
    return last < least ? 0 : (least + last) * (last - least + 1) / 2.0 / (last - first + 1);
  }

  public void write(DataOutput out) throws IOException {
    out.writeInt(clocks.length);
    for (int i = 0; i < clocks.length; i++) {
      out.writeLong(clocks[i]);
      out.writeLong(forgiven[i]);
    }
  }

  public void read(DataInput in) throws IOException {
    int ranks = in.readInt();
    if (ranks != clocks.length) {
      throw new IOException(
          "the exchange's state: clocks of " + ranks + " ranks: must be of " + clocks.length);
    }
    for (int i = 0; i < ranks; i++) {
      clocks[i] = StateReader.readLong(in, 0, "clock");
      forgiven[i] = StateReader.readLong(in, 0, "forgiven gradients");
    }
    slowest();
  }
}
