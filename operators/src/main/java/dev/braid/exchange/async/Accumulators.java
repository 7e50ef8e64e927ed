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
 * What a rank has accumulated for its peers: the sums of its gradients that they have not been sent
 * yet, with the vector in partitions and the peers in groups. Peers of one group are sent the same
 * partition in the same round, and the partitions of groups are as far apart as can be: so where
 * ranks keep step, what they have for one partition reaches a rank in turns, and not all at once
 * after a long while, as too long a step.
 *
 * <p>The paper adds up the last p gradients in one vector, subtracting each p rounds after it was
 * added, and keeps them all in a queue for that (Ako §4.2): p vectors of memory, and a p that never
 * changes. Here one vector is the running total of all gradients, and an accumulator for each group
 * has, for each partition, what the total over it was when the group was last sent that partition:
 * the difference is what it has not been sent. So a gradient costs one addition however many peers
 * there are, memory is min(p, n − 1) + 1 vectors, and a partition's sum is of the gradients that
 * really have not been sent, however p has changed meanwhile.
 *
 * <p>A float total that grew for ever would round gradients away. So it is set back to 0 every
 * {@value #GRADIENTS_IN_TOTAL} gradients, and what a peer is sent differs from the sum of the
 * gradients by no more than the rounding of a sum over so many, or over all that it has not been
 * sent, if those are more.
 *
 * <p>When p changes, accumulators whose peers part are copied. Those whose peers come together are
 * merged when the new partitions have gone around once, which makes their contents equal; up to
 * then there can be n − 1. So it is with an absent peer: from then on it has an accumulator of its
 * own, which is sent from when it is back, chunk by chunk until it has caught up, and then in
 * turns; and it is merged when it has had each partition again.
 */
final class Accumulators {

  private static final int GRADIENTS_IN_TOTAL = 256;

  private final int rank;
  private final int ranks;
  private final Range whole;
  private final float[] total;
  private final List<Accumulator> accumulators = new ArrayList<>();

  private int partitions;

  /** Samples of all gradients up to now, whatever was taken out of the total. */
  private long samples;

  /** Gradients in the total. */
  private int gradients;

  /**
   * Which turn it is, from 0 to p − 1: the partition that a group is sent is so many on from the
   * one that it is sent in turn 0.
   */
  private int offset;

  /**
   * Whether this turn is posted, and the outbox may still be sending it. It is over when all has
   * gone out; nobody waits here for an acknowledgement.
   */
  private boolean turnPosted;

  /**
   * Accumulators of which each is empty.
   *
   * @param accumulate whether there is anything to keep; if not, they only tell groups
   */
  Accumulators(ExchangeConfig config, int partitions, boolean accumulate) {
    this.rank = config.rank();
    this.ranks = config.ranks();
    this.whole = Range.ofLength(config.length());
    this.partitions = partitions;
    this.total = new float[accumulate ? config.length() : 0];
    boolean[] peers = new boolean[ranks];
    Arrays.fill(peers, true);
    peers[rank] = false;
    open(peers, new float[total.length], new long[partitions], false);
  }

  /** An accumulator for each group of these peers, with this content. */
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

  /** Peer number i after this rank is in group (i − 1) mod p. */
  private int groupOf(int peer) {
    return (peer - rank - 1 + ranks) % ranks % partitions;
  }

  /** Those of some peers that are in a group. */
  private boolean[] inGroup(int group, boolean[] ofPeers) {
    boolean[] peers = new boolean[ranks];
    for (int peer = 0; peer < ranks; peer++) {
      peers[peer] = ofPeers[peer] && groupOf(peer) == group;
    }
    return peers;
  }

  /** How many accumulators there are. */
  int count() {
    return accumulators.size();
  }

  /** Vectors of the model's length. */
  int vectors() {
    return total.length == 0 ? 0 : 1 + accumulators.size();
  }

  /** Whose accumulator it is. */
  boolean[] peers(int accumulator) {
    return accumulators.get(accumulator).peers;
  }

  private int partition(Accumulator accumulator) {
    int groups = Math.min(partitions, ranks - 1);
    return (int) ((long) accumulator.group * partitions / groups + offset) % partitions;
  }

  /** The range whose turn it is. */
  Range range(int accumulator) {
    return range(accumulators.get(accumulator));
  }

  private Range range(Accumulator accumulator) {
    return whole.part(partition(accumulator), partitions);
  }

  /** Samples in what is to be sent over that range; 0 where nothing is. */
  long samples(int accumulator) {
    Accumulator chosen = accumulators.get(accumulator);
    return chosen.outOfTurn ? 0 : samples(chosen);
  }

  private long samples(Accumulator accumulator) {
    return samples - accumulator.sentSamples[partition(accumulator)];
  }

  /**
   * The total for the next gradient of this rank, which is accumulated for all; after {@link
   * #endTurn}.
   *
   * @param addedSamples over how many samples the gradient is
   * @return to what the caller adds the gradient, before it calls anything else here
   */
  float[] totalForNext(long addedSamples) {
    if (++gradients > GRADIENTS_IN_TOTAL) {
      resetTotal();
    }
    samples += addedSamples;
    return total;
  }

  private void resetTotal() {
    for (Accumulator accumulator : accumulators) {
      Vectors.subtract(accumulator.sentOrSending, total, whole);
    }
    Arrays.fill(total, 0);
    gradients = 1;
  }

  /**
   * Prepares what is accumulated over the range whose turn it is, at the indices of the vector, to
   * be sent now: to be called once a turn, before {@link #postTurn}. It stays there until {@link
   * #endTurn}.
   */
  float[] prepareUnsent(int accumulator) {
    takeFromTotal(accumulators.get(accumulator).sentOrSending, range(accumulator));
    return accumulators.get(accumulator).sentOrSending;
  }

  /** Its own inverse, up to rounding: total − sent, in the place of what was sent. */
  private void takeFromTotal(float[] sentOrSending, Range range) {
    Vectors.subtractFrom(sentOrSending, total, range);
  }

  /** What this turn has for each peer that is there is posted, as far as there is something. */
  void postTurn() {
    turnPosted = true;
    for (Accumulator accumulator : accumulators) {
      accumulator.posted = !accumulator.outOfTurn;
    }
  }

  /**
   * Ends a turn that was posted, when all of it is sent: that is accumulated no more, and the next
   * partitions have their turn. Nothing happens where none was posted.
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

  /** The partitions have gone around: those of one group have been sent the same, or will be. */
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

  /**
   * A peer is absent, and is sent nothing before it is back.
   *
   * @param unsent the end, or nothing, of what this turn had for it
   */
  void markAbsent(int peer, Range unsent) {
    Accumulator accumulator = accumulatorOfItsOwn(peer);
    accumulator.outOfTurn = true;
    accumulator.turnsToMerge = partitions;
    if (!accumulator.posted) {
      return;
    }
    if (unsent.isEmpty()) {
      markSent(accumulator, range(accumulator));
    } else {
      // The partition's samples stay accumulated: over what was sent of it, there is nothing more
      // for them.
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

  /** A peer is back, and is to be sent what it has missed. */
  void beginCatchUp(int peer) {
    accumulatorOf(peer).beginCatchUp(samples);
  }

  /**
   * Whether a peer has been sent each partition since {@link #beginCatchUp}, as far as there was
   * something for it.
   */
  boolean hasCaughtUp(int peer) {
    return accumulatorOf(peer).hasCaughtUp(whole, samples);
  }

  /** Has a peer that has not caught up sent the next of what it has missed. */
  void sendMissed(int peer, int chunkLength, Consumer<Unsent> send) {
    Accumulator accumulator = accumulatorOf(peer);
    Range chunk = accumulator.nextMissed(whole, chunkLength);
    takeFromTotal(accumulator.sentOrSending, chunk);
    send.accept(new Unsent(chunk, accumulator.missedSamples(samples), accumulator.sentOrSending));
    accumulator.markCaughtUp(chunk, total);
  }

  /** A peer has caught up, and has its turns with the others. */
  void endCatchUp(int peer) {
    accumulatorOf(peer).outOfTurn = false;
  }

  /** Another number of partitions, after {@link #endTurn}: what is accumulated stays so. */
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
        // One peer has one accumulator.
        accumulators.get(accumulators.size() - 1).goOnCatchingUp(accumulator, whole, samples);
      }
    }
  }

  /** A new partition lacks what the one lacks most that it has a part of. */
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

  /** Whether nothing is accumulated for anybody; after {@link #endTurn}. */
  boolean isAllSent() {
    return accumulators.stream().noneMatch(this::hasUnsent);
  }

  /** Whether nothing is accumulated for those that have turns; after {@link #endTurn}. */
  boolean isSentToPresent() {
    return accumulators.stream()
        .noneMatch(accumulator -> !accumulator.outOfTurn && hasUnsent(accumulator));
  }

  /** Whether something is accumulated for an absent peer. */
  boolean hasUnsent(int peer) {
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
