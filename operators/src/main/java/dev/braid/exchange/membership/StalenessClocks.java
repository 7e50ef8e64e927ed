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
 * How many gradients each rank has computed, as far as this one knows, and whether this one may go
 * on: the bound of stale synchronous parallel, without a server (Ako §3.3; Algorithm 1, lines 3, 11
 * and 14).
 *
 * <p>The paper counts messages of a peer; here a message tells its sender's clock, so that one that
 * is late, or merged with the next, counts for what it brings.
 *
 * <p>An absent rank does not count. When it is back, its clock is far behind, and the others would
 * wait until it has caught up: so what it is behind the slowest of them is forgiven, and its clock
 * counts as theirs does. Forgiving must not put a rank ahead of the others: as it catches up by
 * itself, less is forgiven. So a rank that has gone on elsewhere has nothing forgiven once it is
 * heard of.
 */
public final class StalenessClocks {

  private static final long NEVER_REACHED = Long.MAX_VALUE;

  private final int rank;
  private final long start;
  private final long[] clocks;

  /** By rank: how much more its clock counts as than it shows. */
  private final long[] forgiven;

  private final BitSet nobody = new BitSet();
  private final BitSet disregarded = new BitSet();
  private final BitSet absent = new BitSet();

  /** What the slowest was when it was last looked for: no clock goes back, so at least that. */
  private long slowestSeen;

  /** Clocks that all show {@code start}. */
  public StalenessClocks(int rank, int ranks, long start) {
    this.rank = rank;
    this.start = start;
    this.clocks = new long[ranks];
    this.forgiven = new long[ranks];
    Arrays.fill(clocks, start);
    this.slowestSeen = start;
  }

  /** This rank's own clock. */
  public long own() {
    return clocks[rank];
  }

  /** A rank's clock. */
  public long of(int other) {
    return clocks[other];
  }

  /** A rank, this one too, has computed so many gradients. A clock never goes back. */
  public void advance(int of, long gradients) {
    if (gradients > clocks[of]) {
      clocks[of] = gradients;
      if (forgiven[of] > 0) {
        forgiven[of] = Math.min(forgiven[of], behindOthers(of));
      }
    }
  }

  /** A rank of which this one hears nothing, even if it is there, does not keep it waiting. */
  public void disregard(int of) {
    disregarded.set(of);
  }

  /** An absent rank keeps nobody waiting. */
  public void absent(int of) {
    absent.set(of);
  }

  /** It is back, and counts as if it had kept up with the slowest of the others. */
  public void back(int of) {
    absent.clear(of);
    forgiven[of] = behindOthers(of);
  }

  /** Absent ranks: asked often, and mostly there are none. */
  public List<Integer> absent() {
    return absent.isEmpty() ? List.of() : absent.stream().boxed().toList();
  }

  /** How many gradients a rank is behind the slowest of the others. */
  private long behindOthers(int of) {
    BitSet only = new BitSet();
    only.set(of);
    long slowest = slowestExcept(only);
    return slowest == NEVER_REACHED ? 0 : Math.max(0, slowest - clocks[of]);
  }

  private boolean counts(int other) {
    return !disregarded.get(other) && !absent.get(other);
  }

  /** How many gradients the slowest rank has computed, of those that count. */
  public long slowest() {
    slowestSeen = slowestExcept(nobody);
    return slowestSeen;
  }

  /** How many gradients the slowest of all but some ranks has computed. */
  public long slowestExcept(BitSet some) {
    long slowest = NEVER_REACHED;
    for (int other = 0; other < clocks.length; other++) {
      if (!some.get(other) && counts(other)) {
        slowest = Math.min(slowest, clocks[other] + forgiven[other]);
      }
    }
    return slowest;
  }

  /** Whether this rank is ahead of the slowest by no more than {@code bound} gradients. */
  public boolean allow(long bound) {
    return own() <= slowestSeen + bound || own() <= slowest() + bound;
  }

  /** How many gradients all others lack together that a rank has computed, with this clock. */
  public long lag(int of, long clock) {
    long lag = 0;
    for (int other = 0; other < clocks.length; other++) {
      lag += other == of ? 0 : Math.max(0, clock - clocks[other]);
    }
    return lag;
  }

  /**
   * How far the model of this rank lags behind. A round counts as heard of with its first chunk.
   *
   * @param ranges how many parts the model has, of which each round of a peer brings one, in turn:
   *     the part that came last has all of the peer's gradients up to its clock, the one before
   *     lacks one more, and so on; 1 where a round brings all
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

  /** The mean of all whole numbers from first to last, with 0 for those that are less. */
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
      throw new IOException("clocks of " + ranks + " ranks, where there are " + clocks.length);
    }
    for (int i = 0; i < ranks; i++) {
      clocks[i] = StateReader.readLong(in, 0, "a clock");
      forgiven[i] = StateReader.readLong(in, 0, "gradients forgiven");
    }
    slowest();
  }
}
