package dev.braid.exchange.async;

import dev.braid.cost.BandwidthCost;
import dev.braid.exchange.BandwidthUse;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.message.Share.Adopt;
import dev.braid.exchange.message.Share.Rates;
import dev.braid.exchange.state.StateReader;
import dev.braid.exchange.transport.Outbox;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * How many partitions {@link Ako} uses, and from which round on: p = ⌈γ·m·(n − 1)/B⌉ of m bytes of
 * gradient and n ranks ({@link BandwidthCost}), from what each rank measures, decided by rank 0.
 *
 * <p>The paper chooses p once, when training begins. Here the same is done again and again: every
 * {@value #LEAST_ROUNDS} rounds, but no sooner than a quarter of a second, each rank tells rank 0
 * its own gradient rate γ ({@link GradientRate}) and bandwidth B ({@link OutgoingBandwidth}: the
 * least of what the network carries and of what a tenth of its processor can send); when it has all
 * ranks', rank 0 takes the median rate, as the staleness bound lets no rank go faster than others
 * for long, and the least bandwidth, so that every rank can bear it, and, where p is too small, or
 * too large by more than a margin, names a round from which on another holds. A rank that is past
 * that round when it hears of it changes at once: what ranks send tells its range, so nothing
 * depends on all having the same p, and a change need not wait until no rank can be past. While
 * rank 0 hears nothing of a rank, one more change may come, and then p stays as it is.
 *
 * <p>It begins with {@value #FIRST}·(n − 1), or as many as are useful of a small model: too many
 * for a fast network rather than too few for a slow one, where what has queued up holds up all for
 * seconds. A p that is too large is soon smaller, as it shows that nothing waits. And p grows by no
 * more than {@value #GROWTH} times at a time: as long as links are too slow for it, ranks mostly
 * wait, have the processor to themselves when they do not, and take themselves for faster than they
 * are.
 */
final class PartitionPlan {

  /**
   * Rounds that are measured together, at least: enough for a mean of gradient times, and few
   * enough to begin with another p soon.
   */
  private static final int LEAST_ROUNDS = GradientRate.LEAST;

  /**
   * And how long they take: in less, what was under way before and is at the end counts for much.
   */
  private static final long LEAST_NANOS = 250_000_000;

  /** Rounds between rank 0's and that of a change, so that most ranks hear of it before. */
  private static final int AHEAD = 2;

  /**
   * How many times as large p is after a change, at most. Not the paper's, which changes no p: less
   * would be slow on a link that is far too slow for the first p (from 16, three changes make
   * 1,024), and more would follow a rate that is measured while ranks mostly wait.
   */
  private static final int GROWTH = 4;

  /** The first p, for each other rank. */
  private static final int FIRST = 8;

  private static final int LEADER = 0;

  /**
   * How many times as large as needed p may stay. Not the paper's either, but from trials: it is
   * more than two measurements that follow one another differ by; and a wider one wastes bandwidth,
   * as with 1.25, where eight workers used two thirds of lines of 200 Mbit/s. There is none for a p
   * that is too small: then every round would wait for the links.
   */
  private static final double MARGIN = 1.1;

  private static final long NONE = -1;

  private final ExchangeConfig config;
  private final AkoOptions options;
  private final Port port;
  private final Outbox outbox;
  private final GradientRate rate;
  private final OutgoingBandwidth bandwidth;

  /** Rank 0's: what each rank has told since the last change. */
  private final Map<Integer, BandwidthUse> told = new TreeMap<>();

  private int inForce;
  private int next;
  private long nextFromRound = NONE;

  /** The first round in which nothing of an earlier p is under way. */
  private long countsFrom;

  /** The first round, and the beginning, of what is evaluated next. */
  private long windowFrom;

  private long windowFromNanos;

  private BandwidthUse bandwidthUse;

  PartitionPlan(ExchangeConfig config, Port port, Outbox outbox) {
    this.config = config;
    this.options = AkoOptions.of(config.options());
    this.port = port;
    this.outbox = outbox;
    this.rate = new GradientRate(port.nowNanos());
    this.bandwidth = new OutgoingBandwidth(port.nowNanos());
    this.countsFrom = config.completedRounds() + 1;
    this.windowFrom = config.completedRounds();
    this.windowFromNanos = port.nowNanos();
    this.inForce = isFixed() ? options.partitions() : first();
    this.bandwidthUse = withRates(0, options.bandwidthBytesPerSecond());
  }

  private int first() {
    int most = BandwidthCost.most((long) config.length() * Float.BYTES);
    return Math.max(1, Math.min(most, FIRST * (config.ranks() - 1)));
  }

  /** The p of this rank's present round. */
  int inForce() {
    return inForce;
  }

  /** What p follows from. */
  BandwidthUse bandwidthUse() {
    return bandwidthUse;
  }

  private BandwidthUse withRates(double gradientsPerSecond, double bytesPerSecond) {
    return BandwidthUse.of(inForce, gradientsPerSecond, bytesPerSecond, config);
  }

  /** The p that comes into force with this round, or has not yet although it should. */
  OptionalInt due(long round) {
    return nextFromRound != NONE && round >= nextFromRound
        ? OptionalInt.of(next)
        : OptionalInt.empty();
  }

  /** This rank goes by the p that was due, from this round on. */
  void changed(long round) {
    countsFrom = Math.max(countsFrom, round + 1);
    rate.forget();
    inForce = next;
    nextFromRound = NONE;
    bandwidthUse = withRates(bandwidthUse.gradientsPerSecond(), bandwidthUse.bytesPerSecond());
  }

  /** The rank may compute, or may not. */
  void mayCompute(boolean may) {
    long now = port.nowNanos();
    rate.mayCompute(may, now);
    bandwidth.stands(!outbox.isAcknowledged(), !outbox.isSent(), now);
  }

  /** The gradient of this round is computed, and not yet shared. */
  void computed() {
    rate.computed(port.nowNanos());
  }

  /** Sending, or applying what was sent, has taken so long. */
  void tookNanos(long nanos) {
    bandwidth.spent(nanos);
  }

  /** This rank has shared the gradient of this round. */
  void shared(long round) {
    measure(round);
    if (config.rank() == LEADER) {
      decide(round);
    }
  }

  private void measure(long round) {
    long now = port.nowNanos();
    if (config.ranks() == 1
        || round + 1 - windowFrom < LEAST_ROUNDS
        || now - windowFromNanos < LEAST_NANOS) {
      return;
    }
    // What began before has seen an empty network, or two kinds of ranges.
    boolean counts = windowFrom >= countsFrom;
    windowFrom = round + 1;
    windowFromNanos = now;
    bandwidth.window(counts, outbox.bytesArrived(), now);
    if (counts && rate.isKnown() && bandwidth.isKnown()) {
      bandwidthUse = withRates(rate.perSecond(), bandwidthBytesPerSecond());
      if (!isFixed()) {
        tell(round);
      }
    }
  }

  private void tell(long round) {
    if (config.rank() == LEADER) {
      told.put(LEADER, bandwidthUse);
    } else if (!outbox.isAbsent(LEADER)) {
      outbox.tell(
          LEADER,
          round,
          new Rates(bandwidthUse.gradientsPerSecond(), bandwidthUse.bytesPerSecond()));
    }
  }

  private double bandwidthBytesPerSecond() {
    double given = options.bandwidthBytesPerSecond();
    long fullMessageBytes = (long) config.chunkLength() * Float.BYTES;
    return given > 0
        ? given
        : bandwidth.bytesPerSecond(
            BandwidthCost.bytesPerSecond(rate.perSecond(), fullMessageBytes, config.ranks(), 1));
  }

  private void decide(long round) {
    if (told.size() < config.ranks() || nextFromRound != NONE) {
      return;
    }
    int wanted = Math.min(partitionsForAll(), GROWTH * inForce);
    if (wanted <= inForce && wanted >= inForce / MARGIN) {
      return;
    }
    Adopt change = new Adopt(round + 1 + AHEAD, wanted);
    for (int peer = 0; peer < config.ranks(); peer++) {
      if (peer != config.rank()) {
        outbox.tell(peer, round, change);
      }
    }
    adopt(change);
  }

  private int partitionsForAll() {
    double[] rates =
        told.values().stream().mapToDouble(BandwidthUse::gradientsPerSecond).sorted().toArray();
    double least =
        told.values().stream().mapToDouble(BandwidthUse::bytesPerSecond).min().orElseThrow();
    return BandwidthCost.partitions(
        rates[rates.length / 2], (long) config.length() * Float.BYTES, config.ranks(), least);
  }

  /**
   * Rank 0 hears what another has measured; not if that was before the latest change. It decides
   * with its next gradient, and not in answer to a message: a rank that is held for a checkpoint,
   * and has nothing under way, must not have something again.
   */
  void hear(int from, long round, Rates rates) {
    if (round >= countsFrom) {
      told.put(from, withRates(rates.gradientsPerSecond(), rates.bytesPerSecond()));
    }
  }

  /** A change that rank 0 has decided is due from its round on. */
  void adopt(Adopt change) {
    countsFrom = change.fromRound() + 1;
    next = change.partitions();
    nextFromRound = change.fromRound();
    told.clear();
  }

  private boolean isFixed() {
    return options.partitions() > 0;
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(inForce);
    out.writeInt(next);
    out.writeLong(nextFromRound);
    out.writeLong(countsFrom);
  }

  void read(DataInput in) throws IOException {
    int most = BandwidthCost.MAX_PARTITIONS;
    int before = StateReader.readInt(in, 1, most, "partitions");
    int after = StateReader.readInt(in, 0, most, "partitions");
    nextFromRound = StateReader.readLong(in, NONE, "the round of a change");
    countsFrom = StateReader.readLong(in, 0, "the round after a change");
    if (nextFromRound != NONE && after == 0) {
      throw new IOException("the exchange's state has a change to 0 partitions");
    }
    next = after;
    if (!isFixed()) {
      inForce = before;
      bandwidthUse = withRates(0, bandwidthUse.bytesPerSecond());
    } else {
      nextFromRound = NONE;
    }
  }
}
