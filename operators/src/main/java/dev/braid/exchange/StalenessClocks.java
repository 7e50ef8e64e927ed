package dev.braid.exchange;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * How many gradients each rank has computed, as far as this one knows, and whether this one may go
 * on: the bound of stale synchronous parallel, without a server (Ako §3.3; Algorithm 1, lines 3, 11
 * and 14).
 *
 * <p>The paper counts messages of a peer; here a message tells its sender's clock, so that one that
 * is late, or merged with the next, counts for what it brings.
 */
final class StalenessClocks {

  private final int rank;
  private final long[] clocks;

  /** Clocks that all show {@code start}. */
  StalenessClocks(int rank, int ranks, long start) {
    this.rank = rank;
    this.clocks = new long[ranks];
    Arrays.fill(clocks, start);
  }

  /** This rank's own clock. */
  long own() {
    return clocks[rank];
  }

  /** A rank's clock. */
  long of(int other) {
    return clocks[other];
  }

  /** A rank, this one too, has computed so many gradients. A clock never goes back. */
  void advance(int of, long gradients) {
    clocks[of] = Math.max(clocks[of], gradients);
  }

  /** A rank of which this one hears nothing does not keep it waiting. */
  void leaveOut(int of) {
    clocks[of] = Long.MAX_VALUE;
  }

  /** How many gradients the slowest rank has computed. */
  long slowest() {
    long slowest = own();
    for (long clock : clocks) {
      slowest = Math.min(slowest, clock);
    }
    return slowest;
  }

  /** Whether this rank is ahead of the slowest by no more than {@code bound} gradients. */
  boolean allow(long bound) {
    return own() <= slowest() + bound;
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(clocks.length);
    for (long clock : clocks) {
      out.writeLong(clock);
    }
  }

  void read(DataInput in) throws IOException {
    int ranks = in.readInt();
    if (ranks != clocks.length) {
      throw new IOException("clocks of " + ranks + " ranks, where there are " + clocks.length);
    }
    for (int i = 0; i < ranks; i++) {
      clocks[i] = in.readLong();
    }
  }
}
