package dev.braid.exchange.async;

import dev.braid.cost.BandwidthCost;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
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
 * The number of partitions p that {@link Ako} uses, and the round from which a new p is in force.
 * For m bytes of gradient and n ranks, p = ⌈γ·m·(n − 1)/B⌉ ({@link BandwidthCost}). Each rank
 * measures γ and B, and rank 0 decides.
 *
 * <p>The paper chooses p once, when training begins. Here p is chosen repeatedly:
 *
 * <ol>
 *   <li>Every {@value #LEAST_ROUNDS} rounds, but not before a quarter of a second has passed, each
 *       rank sends rank 0 its gradient rate γ ({@link GradientRate}) and its bandwidth B ({@link
 *       OutgoingBandwidth}: the lesser of what the network carries and of what a tenth of the
 *       rank's processor can send).
 *   <li>When rank 0 has the measurements of all ranks, it takes the median rate, as the staleness
 *       bound lets no rank be faster than others for long. It takes the least bandwidth, so that
 *       every rank can bear the traffic.
 *   <li>If p is too small, or too large by more than a margin, rank 0 announces a new p and the
 *       round from which it is in force.
 * </ol>
 *
 * <p>A rank that is already past that round changes with its next gradient. Messages name their
 * range, so ranks may differ in p, and a change need not wait until no rank can be past its round.
 * While rank 0 does not hear from a rank, at most one more change is made, and then p stays as it
 * is.
 *
 * <p>The first p is {@value #FIRST}·(n − 1), or the largest useful p of a small model. That is too
 * large for a fast network rather than too small for a slow one, where queued messages would delay
 * everything for seconds. A p that is too large shrinks soon, as measurements show that nothing
 * waits. And p grows at most {@value #GROWTH} times per change. As long as links are too slow for
 * p, ranks mostly wait, have the processor to themselves when they do not wait, and overestimate
 * their rates.
 */
final class PartitionPlan {

  /**
   * Minimum number of rounds in a measurement: enough for a mean of gradient times, and few enough
   * to adopt another p soon.
   */
  private static final int LEAST_ROUNDS = GradientRate.LEAST;

  /**
   * Minimum duration of a measurement, in nanoseconds. In less time, messages that are in flight at
   * its beginning and end would distort it.
   */
  private static final long LEAST_NANOS = 250_000_000;

  /**
   * Number of rounds between rank 0's next round and that of a change, so that most ranks hear of
   * the change before it is due.
   */
  private static final int AHEAD = 2;

  /**
   * Maximum factor by which a change increases p. It is not from the paper, in which p never
   * changes. A smaller factor would be slow on a link that is far too slow for the first p (from
   * 16, three changes make 1,024). A larger factor would follow a rate that is measured while ranks
   * mostly wait.
   */
  private static final int GROWTH = 4;

  /** Factor of n − 1 in the first p. */
  private static final int FIRST = 8;

  private static final int LEADER = 0;

  /**
   * Factor by which p may exceed the p needed without being changed. It is not from the paper
   * either, but from trials. It is more than the difference of two successive measurements. A wider
   * margin wastes bandwidth: with 1.25, eight workers used two thirds of lines of 200 Mbit/s. There
   * is no margin for a p that is too small, because then every round would wait for the links.
   */
  private static final double MARGIN = 1.1;

  private static final long NONE = -1;

  private final ExchangeConfig config;
  private final AkoOptions options;
  private final Port port;
  private final Outbox outbox;
  private final GradientRate rate;
  private final OutgoingBandwidth bandwidth;

  /** Measurements that rank 0 has received since the last change, by rank. Used at rank 0 only. */
  private final Map<Integer, Rates> told = new TreeMap<>();

  private int inForce;
  private int next;
  private long nextFromRound = NONE;

  /**
   * First round in which a measurement may begin after the latest change of p. All turns of the
   * earlier p have been sent by then, but some of their messages may still be in flight.
   */
  private long countsFrom;

  /**
   * First round of the current measurement; {@link #windowFromNanos} is the time of its beginning.
   */
  private long windowFrom;

  private long windowFromNanos;

  /** Rates as last measured; 0 if unknown. */
  private Rates rates;

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
    this.rates = new Rates(0, options.bandwidthBytesPerSecond());
  }

  private int first() {
    int most = BandwidthCost.most(modelBytes());
    return Math.max(1, Math.min(most, FIRST * (config.ranks() - 1)));
  }

  /** Returns the p that is in force in this rank's current round. */
  int inForce() {
    return inForce;
  }

  /** Adds p, the rates from which it is derived, and the rate that the cost model expects. */
  void addFigures(FigureValues to) {
    to.add(Figure.PARTITIONS, inForce);
    to.add(Figure.GRADIENT_RATE, rates.gradientsPerSecond());
    to.add(Figure.BANDWIDTH, rates.bytesPerSecond());
    to.add(
        Figure.PLANNED_BANDWIDTH,
        BandwidthCost.bytesPerSecond(
            rates.gradientsPerSecond(), modelBytes(), config.ranks(), inForce));
  }

  private long modelBytes() {
    return (long) config.length() * Float.BYTES;
  }

  /** Returns the p that is due in a round and not in force yet, or empty. */
  OptionalInt due(long round) {
    return nextFromRound != NONE && round >= nextFromRound
        ? OptionalInt.of(next)
        : OptionalInt.empty();
  }

  /** Puts the due p into force, from a round on. */
  void putInForce(long round) {
    countsFrom = Math.max(countsFrom, round + 1);
    rate.forget();
    inForce = next;
    nextFromRound = NONE;
  }

  /** Notes whether the rank may compute. */
  void note(boolean mayCompute) {
    long now = port.nowNanos();
    rate.note(mayCompute, now);
    bandwidth.stands(!outbox.isAcknowledged(), !outbox.isSent(), now);
  }

  /** Notes that a gradient has been computed and is not shared yet. */
  void computed() {
    rate.computed(port.nowNanos());
  }

  /** Adds time spent on sending, or on applying what was received, in nanoseconds. */
  void tookNanos(long nanos) {
    bandwidth.spent(nanos);
  }

  /** Notes that this rank has shared the gradient of a round. Measures, and at rank 0 decides. */
  void measureAndDecide(long round) {
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
    // A measurement that began earlier has seen an empty network, or ranges of two different p.
    boolean counts = windowFrom >= countsFrom;
    windowFrom = round + 1;
    windowFromNanos = now;
    bandwidth.window(counts, outbox.bytesArrived(), now);
    if (counts && rate.isKnown() && bandwidth.isKnown()) {
      rates = new Rates(rate.perSecond(), bandwidthBytesPerSecond());
      if (!isFixed()) {
        tell(round);
      }
    }
  }

  private void tell(long round) {
    if (config.rank() == LEADER) {
      told.put(LEADER, rates);
    } else if (!outbox.isAbsent(LEADER)) {
      outbox.tell(LEADER, round, rates);
    }
  }

  private double bandwidthBytesPerSecond() {
    double given = options.bandwidthBytesPerSecond();
    long fullMessageBytes = (long) config.chunkLength() * Float.BYTES;
    // At least one full message to each peer and gradient.
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
    schedule(change);
  }

  private int partitionsForAll() {
    double[] gradientRates =
        told.values().stream().mapToDouble(Rates::gradientsPerSecond).sorted().toArray();
    double least = told.values().stream().mapToDouble(Rates::bytesPerSecond).min().orElseThrow();
    return BandwidthCost.partitions(
        gradientRates[gradientRates.length / 2], modelBytes(), config.ranks(), least);
  }

  /**
   * Stores the measurement of another rank, at rank 0, unless it was made before the latest change.
   * Rank 0 decides with its next gradient, and not in answer to a message: a rank that is held for
   * a checkpoint and has nothing in flight must not send again.
   */
  void store(int from, long round, Rates measured) {
    if (round >= countsFrom) {
      told.put(from, measured);
    }
  }

  /** Schedules a change that rank 0 has decided; it is due in its {@code fromRound}. */
  void schedule(Adopt change) {
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
    nextFromRound = StateReader.readLong(in, NONE, "round of the change");
    countsFrom = StateReader.readLong(in, 0, "round after the change");
    if (nextFromRound != NONE && after == 0) {
      throw new IOException("the exchange's state: change to 0 partitions: must be 1 or more");
    }
    next = after;
    if (!isFixed()) {
      inForce = before;
    } else {
      nextFromRound = NONE;
    }
  }
}
