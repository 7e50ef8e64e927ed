package dev.braid.exchange;

import dev.braid.cost.BandwidthCost;
import dev.braid.exchange.Message.Kind;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * How many partitions {@link Ako} uses, and from which round on: by the cost model, from what each
 * rank measures, agreed on by all.
 *
 * <p>The paper chooses p once, when training begins. Here the same is done again and again: every
 * {@value #EVALUATION_ROUNDS} rounds each rank tells rank 0 the p of its own gradient rate and
 * bandwidth; rank 0 takes the largest, which the slowest link can bear, and, where it is off by
 * more than a quarter, names a round from which on it holds.
 *
 * <p>That round is one that no rank can have begun: when rank 0 has computed c gradients, no other
 * has computed more than c + p + τ + 1, by the staleness bound. And none can get there without
 * having heard of it, as it would have to hear of more gradients of rank 0 first, which were sent
 * later.
 */
final class PartitionPlan {

  /** Enough for a median of gradient times, and few enough to begin with another p soon. */
  static final int EVALUATION_ROUNDS = GradientRate.GRADIENTS;

  private static final int LEADER = 0;
  private static final double MARGIN = 1.25;
  private static final long NONE = -1;

  private final ExchangeConfig config;
  private final Port port;
  private final Outbox outbox;
  private final GradientRate rate;
  private final OutgoingBandwidth bandwidth;

  /** Rank 0's: what each rank has proposed since the last change; 0 for nothing. */
  private final int[] proposed;

  private int inForce;
  private int next;
  private long nextFromRound = NONE;

  /** The round from which on all ranks go by the p in force, and the network is in use. */
  private long settledAt;

  PartitionPlan(ExchangeConfig config, Port port, Outbox outbox) {
    this.config = config;
    this.port = port;
    this.outbox = outbox;
    this.rate = new GradientRate(port.nowNanos());
    this.bandwidth = new OutgoingBandwidth(port.nowNanos());
    this.proposed = new int[config.ranks()];
    this.settledAt = config.completedRounds() + 1;
    this.inForce =
        isFixed() ? config.options().ako().partitions() : Math.max(1, config.ranks() - 1);
  }

  /** The p of this rank's present round. */
  int inForce() {
    return inForce;
  }

  /** The p that comes into force with this round, or has not yet although it should. */
  OptionalInt due(long round) {
    return nextFromRound != NONE && round >= nextFromRound
        ? OptionalInt.of(next)
        : OptionalInt.empty();
  }

  /** This rank goes by the p that was due. */
  void changed() {
    inForce = next;
    nextFromRound = NONE;
  }

  /** The rank may compute, or may not. */
  void mayCompute(boolean may) {
    rate.mayCompute(may, port.nowNanos());
    bandwidth.underWay(!outbox.isAcknowledged(), outbox.bytesArrived(), port.nowNanos());
  }

  /** The gradient of this round is computed, and not yet shared. */
  void computed() {
    rate.computed(port.nowNanos());
  }

  /**
   * This rank has shared the gradient of this round.
   *
   * @param slowest how many gradients the slowest rank has computed
   */
  void shared(long round, long slowest) {
    if (isFixed() || config.ranks() == 1 || (round + 1) % EVALUATION_ROUNDS != 0) {
      return;
    }
    // What began before has seen an empty network, or two kinds of ranges.
    boolean began = round + 1 - EVALUATION_ROUNDS >= settledAt;
    if (began && rate.isKnown() && bandwidth.isKnown()) {
      propose(round, slowest);
    }
    bandwidth.forget(outbox.bytesArrived(), port.nowNanos());
  }

  private void propose(long round, long slowest) {
    int wanted =
        BandwidthCost.partitions(
            rate.perSecond(),
            (long) config.length() * Float.BYTES,
            config.ranks(),
            bandwidthBytesPerSecond());
    if (config.rank() == LEADER) {
      proposed[LEADER] = wanted;
      decide(round + 1, slowest);
    } else {
      outbox.tell(LEADER, Kind.PROPOSE, round, wanted);
    }
  }

  private double bandwidthBytesPerSecond() {
    double given = config.options().ako().bandwidthBytesPerSecond();
    return given > 0 ? given : bandwidth.bytesPerSecond();
  }

  private void decide(long clock, long slowest) {
    int wanted = 0;
    for (int p : proposed) {
      if (p == 0) {
        return;
      }
      wanted = Math.max(wanted, p);
    }
    // All have changed before they change again.
    boolean settled = nextFromRound == NONE && slowest >= settledAt;
    if (!settled || (wanted < inForce * MARGIN && wanted > inForce / MARGIN)) {
      return;
    }
    long fromRound = clock + inForce + config.options().staleness() + 2L;
    for (int peer = 0; peer < config.ranks(); peer++) {
      if (peer != config.rank()) {
        outbox.tell(peer, Kind.ADOPT, fromRound, wanted);
      }
    }
    adopt(fromRound, wanted);
  }

  /** Rank 0 hears what another wants; not if that was measured before the latest change. */
  void hear(int from, long round, int wanted) {
    if (round >= settledAt) {
      proposed[from] = wanted;
    }
  }

  /** From this round on, each rank counting its own, so many partitions are used. */
  void adopt(long fromRound, int partitions) {
    settledAt = fromRound + inForce + 1;
    next = partitions;
    nextFromRound = fromRound;
    Arrays.fill(proposed, 0);
  }

  private boolean isFixed() {
    return config.options().ako().partitions() > 0;
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(inForce);
    out.writeInt(next);
    out.writeLong(nextFromRound);
    out.writeLong(settledAt);
  }

  void read(DataInput in) throws IOException {
    int before = in.readInt();
    next = in.readInt();
    nextFromRound = in.readLong();
    settledAt = in.readLong();
    if (!isFixed()) {
      inForce = before;
    } else {
      nextFromRound = NONE;
    }
  }
}
