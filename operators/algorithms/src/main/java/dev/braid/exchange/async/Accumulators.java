package dev.braid.exchange.async;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.transport.Outbox.Unsent;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * The sums of a rank's gradients that have not been sent to its peers yet. The vector is divided
 * into partitions, and the peers into groups. Peers of one group are sent the same partition in the
 * same round. The partitions of different groups are as far apart as possible. So, where ranks keep
 * step, a rank receives the peers' contributions to one partition in turns. If they all arrived at
 * once after a long while, the step would be too long.
 *
 * <p>The paper adds up the last p gradients in one vector and subtracts each gradient p rounds
 * after it was added, for which it keeps all of them in a queue (Ako §4.2). That takes p vectors of
 * memory, and p can never change. Here one vector is the running total of all gradients. An
 * accumulator for each group holds, for each partition, the value of the total when the group was
 * last sent that partition. The difference is unsent. So a gradient costs one addition regardless
 * of the number of peers, and memory is min(p, n − 1) + 1 vectors. A partition's sum contains
 * exactly the gradients that have not been sent, even if p has changed meanwhile.
 *
 * <p>A float total that grew without bound would round gradients away. So the total is reset to 0
 * every {@value #GRADIENTS_IN_TOTAL} gradients. What a peer is sent differs from the sum of the
 * gradients by at most the rounding of a sum over that many gradients, or over all unsent gradients
 * if those are more.
 *
 * <p>When p changes, the peers are divided into other groups. If the peers of an accumulator are
 * then in several groups, it is copied for each group. If the peers of several accumulators are
 * then in one group, the accumulators differ at first. They are equal, and are merged, when their
 * peers have been sent every new partition once. Until then there can be n − 1 accumulators.
 *
 * <p>An absent peer gets an accumulator of its own. When the peer is back, that accumulator is
 * first sent chunk by chunk, without turns, until the peer has caught up. From then on it has turns
 * like the others, and is merged when the peer has been sent every partition once in a turn.
 */
final class Accumulators implements CatchUp {

  private static final int GRADIENTS_IN_TOTAL = 256;

  private final int rank;
  private final int ranks;
  private final Range whole;
  private final int chunkLength;
  private final float[] total;
  private final List<Accumulator> accumulators = new ArrayList<>();

  private int partitions;

  /** Number of samples in all gradients so far, regardless of resets of the total. */
  private long samples;

  /** Number of gradients in the total. */
  private int gradients;

  /**
   * Index of the turn, 0 ≤ offset &lt; p. A group is sent the partition that is this many after its
   * partition in turn 0, modulo p.
   */
  private int offset;

  /**
   * Whether this turn is posted and the outbox may still be sending it. The turn ends when all of
   * it is sent; it does not wait for acknowledgements.
   */
  private boolean turnPosted;

  /**
   * Creates empty accumulators.
   *
   * @param accumulate whether gradients are accumulated; if false, this object only assigns peers
   *     to groups and partitions to turns
   */
  Accumulators(ExchangeConfig config, int partitions, boolean accumulate) {
    this.rank = config.rank();
    this.ranks = config.ranks();
    this.whole = Range.ofLength(config.length());
    this.chunkLength = config.chunkLength();
    this.partitions = partitions;
    this.total = new float[accumulate ? config.length() : 0];
    boolean[] peers = new boolean[ranks];
    Arrays.fill(peers, true);
    peers[rank] = false;
    open(peers, new float[total.length], new long[partitions], false);
  }

  /**
   * Creates an accumulator with the given content for each group that contains any of the given
   * peers.
   */
  private void open(boolean[] peers, float[] sentOrSending, long[] sentSamples, boolean outOfTurn) {
    boolean taken = false;
    for (int group = 0; group < partitions && group < ranks - 1; group++) {
      boolean[] members = inGroup(group, peers);
      if (contains(members)) {
        float[] own = taken ? sentOrSending.clone() : sentOrSending;
        Accumulator accumulator = new Accumulator(group, members, own, sentSamples.clone());
        accumulator.outOfTurn = outOfTurn;
        accumulators.add(accumulator);
        taken = true;
      }
    }
  }

  private static boolean contains(boolean[] peers) {
    for (boolean peer : peers) {
      if (peer) {
        return true;
      }
    }
    return false;
  }

  /** Returns the group of a peer: the i-th peer after this rank is in group (i − 1) mod p. */
  private int groupOf(int peer) {
    return (peer - rank - 1 + ranks) % ranks % partitions;
  }

  /** Returns those of the given peers that are in a group. */
  private boolean[] inGroup(int group, boolean[] ofPeers) {
    boolean[] peers = new boolean[ranks];
    for (int peer = 0; peer < ranks; peer++) {
      peers[peer] = ofPeers[peer] && groupOf(peer) == group;
    }
    return peers;
  }

  /** Returns the number of accumulators. */
  int count() {
    return accumulators.size();
  }

  /** Returns the number of vectors of the model's length that this object holds. */
  int vectors() {
    return total.length == 0 ? 0 : 1 + accumulators.size();
  }

  /** Returns the peers of an accumulator, {@code boolean[ranks]}. */
  boolean[] peers(int accumulator) {
    return accumulators.get(accumulator).peers;
  }

  private int partition(Accumulator accumulator) {
    int groups = Math.min(partitions, ranks - 1);
    return (int) ((long) accumulator.group * partitions / groups + offset) % partitions;
  }

  /** Returns the range of the partition that an accumulator is sent in this turn. */
  Range range(int accumulator) {
    return range(accumulators.get(accumulator));
  }

  private Range range(Accumulator accumulator) {
    return whole.part(partition(accumulator), partitions);
  }

  /**
   * Returns the number of samples to send over the range of this turn; 0 if there is nothing to
   * send or the accumulator gets no turns.
   */
  long samples(int accumulator) {
    Accumulator chosen = accumulators.get(accumulator);
    return chosen.outOfTurn ? 0 : samples(chosen);
  }

  private long samples(Accumulator accumulator) {
    return samples - accumulator.sentSamples[partition(accumulator)];
  }

  /**
   * Adds the next gradient of this rank to the total. Call it after {@link #endTurn}.
   *
   * @param addedSamples number of samples in the gradient
   */
  void add(float[] gradient, long addedSamples) {
    if (++gradients > GRADIENTS_IN_TOTAL) {
      resetTotal();
    }
    samples += addedSamples;
    Vectors.add(total, gradient, whole);
  }

  private void resetTotal() {
    for (Accumulator accumulator : accumulators) {
      Vectors.subtract(accumulator.sentOrSending, total, whole);
    }
    Arrays.fill(total, 0);
    gradients = 1;
  }

  /**
   * Prepares the unsent sum over the range of this turn, to be sent now. Call it once per turn and
   * accumulator, before {@link #markPosted}. The sum stays in place until {@link #endTurn}.
   *
   * @return a vector that holds the unsent sum within the range, at the indices of the model
   */
  float[] prepareUnsent(int accumulator) {
    takeFromTotal(accumulators.get(accumulator).sentOrSending, range(accumulator));
    return accumulators.get(accumulator).sentOrSending;
  }

  /**
   * Replaces values sent with total − sent. A second call restores the values sent, up to rounding,
   * because total − (total − sent) = sent.
   */
  private void takeFromTotal(float[] sentOrSending, Range range) {
    Vectors.subtractFrom(sentOrSending, total, range);
  }

  /** Marks this turn as posted to every peer that has turns. */
  void markPosted() {
    turnPosted = true;
    for (Accumulator accumulator : accumulators) {
      accumulator.posted = !accumulator.outOfTurn;
    }
  }

  /**
   * Ends a posted turn after all of it is sent. What was sent is no longer accumulated, and the
   * next turn begins with the next partitions. Does nothing if no turn is posted.
   */
  void endTurn() {
    if (!turnPosted) {
      return;
    }
    turnPosted = false;
    for (Accumulator accumulator : accumulators) {
      if (accumulator.posted) {
        markSent(accumulator, range(accumulator));
        accumulator.turnsToMerge = Math.max(0, accumulator.turnsToMerge - 1);
      }
    }
    offset++;
    if (offset == partitions) {
      offset = 0;
      merge();
    }
  }

  private void markSent(Accumulator accumulator, Range range) {
    accumulator.posted = false;
    if (samples(accumulator) > 0) {
      System.arraycopy(
          total, range.start(), accumulator.sentOrSending, range.start(), range.length());
      accumulator.sentSamples[partition(accumulator)] = samples;
    }
  }

  /**
   * Merges accumulators of the same group whose peers have been sent the same. Called when the
   * partitions have gone around once.
   */
  private void merge() {
    for (int i = 0; i < accumulators.size(); i++) {
      for (int j = accumulators.size() - 1; j > i; j--) {
        if (areAlike(accumulators.get(i), accumulators.get(j))) {
          boolean[] joining = accumulators.remove(j).peers;
          for (int peer = 0; peer < ranks; peer++) {
            accumulators.get(i).peers[peer] |= joining[peer];
          }
        }
      }
    }
  }

  private static boolean areAlike(Accumulator one, Accumulator other) {
    return one.group == other.group && one.turnsToMerge == 0 && other.turnsToMerge == 0;
  }

  /** Takes an absent peer out of the turns until it is back. */
  @Override
  public void markAbsent(int peer, Unsent tail) {
    Range unsent = total.length == 0 ? Range.EMPTY : tail.range();
    Accumulator accumulator = accumulatorOfItsOwn(peer);
    accumulator.outOfTurn = true;
    accumulator.turnsToMerge = partitions;
    if (!accumulator.posted) {
      return;
    }
    if (unsent.isEmpty()) {
      markSent(accumulator, range(accumulator));
    } else {
      // The partition's samples stay accumulated. Over the elements that were sent, their gradient
      // is 0.
      accumulator.posted = false;
      Range sent = new Range(range(accumulator).start(), unsent.start());
      System.arraycopy(total, sent.start(), accumulator.sentOrSending, sent.start(), sent.length());
      takeFromTotal(accumulator.sentOrSending, unsent);
    }
  }

  private Accumulator accumulatorOfItsOwn(int peer) {
    Accumulator shared = accumulatorOf(peer);
    shared.peers[peer] = false;
    if (!contains(shared.peers)) {
      shared.peers[peer] = true;
      return shared;
    }
    boolean[] peers = new boolean[ranks];
    peers[peer] = true;
    Accumulator own =
        new Accumulator(
            shared.group, peers, shared.sentOrSending.clone(), shared.sentSamples.clone());
    own.posted = shared.posted;
    accumulators.add(own);
    return own;
  }

  private Accumulator accumulatorOf(int peer) {
    return accumulators.stream()
        .filter(accumulator -> accumulator.peers[peer])
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void beginCatchUp(int peer) {
    accumulatorOf(peer).beginCatchUp(samples);
  }

  /**
   * Moves a peer's catch-up past the partitions that are complete, and returns whether these are
   * all: the peer has been sent each partition since {@link #beginCatchUp}, if there was anything
   * to send.
   */
  @Override
  public boolean hasCaughtUp(int peer) {
    return accumulatorOf(peer).hasCaughtUp(whole, samples);
  }

  @Override
  public void sendMissed(int peer, Consumer<Unsent> send) {
    Accumulator accumulator = accumulatorOf(peer);
    Range chunk = accumulator.nextMissed(whole, chunkLength);
    takeFromTotal(accumulator.sentOrSending, chunk);
    send.accept(new Unsent(chunk, accumulator.missedSamples(samples), accumulator.sentOrSending));
    accumulator.markCaughtUp(chunk, total);
  }

  /** Lets a peer that has caught up take part in turns again. */
  @Override
  public void endCatchUp(int peer) {
    accumulatorOf(peer).outOfTurn = false;
  }

  /**
   * Changes the number of partitions and keeps what is accumulated. Call it after {@link #endTurn}.
   */
  void repartition(int newPartitions) {
    List<Accumulator> before = List.copyOf(accumulators);
    int partitionsBefore = partitions;
    accumulators.clear();
    partitions = newPartitions;
    offset = 0;
    for (Accumulator accumulator : before) {
      long[] sentSamples = sentSamples(accumulator.sentSamples, partitionsBefore);
      open(accumulator.peers, accumulator.sentOrSending, sentSamples, accumulator.outOfTurn);
      if (accumulator.outOfTurn) {
        // An accumulator out of turn has one peer, so it has become one accumulator.
        accumulators.get(accumulators.size() - 1).keepCatchingUp(accumulator, whole, samples);
      }
    }
  }

  /**
   * Returns the sent samples of the new partitions: for each, the least of the old partitions that
   * it overlaps.
   */
  private long[] sentSamples(long[] before, int partitionsBefore) {
    long[] sent = new long[partitions];
    int old = 0;
    for (int i = 0; i < partitions; i++) {
      Range range = whole.part(i, partitions);
      sent[i] = samples;
      while (whole.part(old, partitionsBefore).end() <= range.start() && old + 1 < before.length) {
        old++;
      }
      for (int j = old; j < before.length; j++) {
        Range overlapping = whole.part(j, partitionsBefore);
        if (overlapping.start() >= range.end()) {
          break;
        }
        sent[i] = Math.min(sent[i], before[j]);
      }
    }
    return sent;
  }

  /** Returns whether nothing is accumulated for any peer. Call it after {@link #endTurn}. */
  boolean isAllSent() {
    return accumulators.stream().noneMatch(this::hasUnsent);
  }

  /**
   * Returns whether nothing is accumulated for peers that have turns. Call it after {@link
   * #endTurn}.
   */
  boolean isSentToPresent() {
    return accumulators.stream()
        .noneMatch(accumulator -> !accumulator.outOfTurn && hasUnsent(accumulator));
  }

  /** Returns whether anything is accumulated for a peer. */
  @Override
  public boolean hasUnsent(int peer) {
    return hasUnsent(accumulatorOf(peer));
  }

  private boolean hasUnsent(Accumulator accumulator) {
    for (long sent : accumulator.sentSamples) {
      if (sent != samples) {
        return true;
      }
    }
    return false;
  }
}
