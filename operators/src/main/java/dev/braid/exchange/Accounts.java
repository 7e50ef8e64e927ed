package dev.braid.exchange;

import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a rank owes its peers: the sums of its gradients that they have not been sent yet, with the
 * vector in partitions and the peers in groups. Peers of one group are sent the same partition in
 * the same round.
 *
 * <p>The paper adds up the last p gradients in one vector, subtracting each p rounds after it was
 * added, and keeps them all in a queue for that (Ako §4.2): p vectors of memory, and a p that never
 * changes. Here one vector is the running total of all gradients, and an account for each group has
 * what the total was when the group was last sent a partition: the difference is what it is owed.
 * So a gradient costs one addition however many peers there are, memory is min(p, n − 1) + 1
 * vectors, and what a partition sums over is what has not been sent, not what should not have been,
 * whatever p was meanwhile.
 *
 * <p>A float total that grew for ever would round gradients away. So it is set back to 0 every
 * {@value #GRADIENTS_IN_TOTAL} gradients, and what a peer is sent differs from the sum of the
 * gradients by no more than the rounding of a sum over so many.
 *
 * <p>When p changes, accounts whose peers part are copied. Those whose peers come together are
 * merged when the new partitions have gone around once and their contents are equal; up to then
 * there can be n − 1.
 */
final class Accounts {

  private static final int GRADIENTS_IN_TOTAL = 256;

  /**
   * An account.
   *
   * @param sent by element: the total when it was last sent; where it is under way, what is sent
   * @param sentSamples by partition: the samples in the total when it was last sent
   */
  private record Account(int group, boolean[] peers, float[] sent, long[] sentSamples) {}

  private final int rank;
  private final int ranks;
  private final Range whole;
  private final float[] total;
  private final List<Account> accounts = new ArrayList<>();

  private int partitions;
  private long samples;
  private int gradients;

  /** Group g gets partition (g + turn) mod p. */
  private int turn;

  /** Whether what the last turn has sent is still in the accounts. */
  private boolean turned;

  /**
   * Accounts of which none is owed anything.
   *
   * @param accumulate whether there is anything to keep; if not, they only tell groups
   */
  Accounts(ExchangeConfig config, int partitions, boolean accumulate) {
    this.rank = config.rank();
    this.ranks = config.ranks();
    this.whole = Range.ofLength(config.length());
    this.partitions = partitions;
    this.total = new float[accumulate ? config.length() : 0];
    boolean[] peers = new boolean[ranks];
    Arrays.fill(peers, true);
    peers[rank] = false;
    open(peers, new float[total.length], new long[partitions]);
  }

  /** An account for each group of these peers, with this content. */
  private void open(boolean[] peers, float[] sent, long[] sentSamples) {
    boolean taken = false;
    for (int group = 0; group < partitions && group < ranks - 1; group++) {
      boolean[] members = inGroup(group, peers);
      if (contains(members)) {
        float[] own = taken ? sent.clone() : sent;
        accounts.add(new Account(group, members, own, sentSamples.clone()));
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

  /** How many accounts there are. */
  int count() {
    return accounts.size();
  }

  /** Vectors of the model's length. */
  int vectors() {
    return total.length == 0 ? 0 : 1 + accounts.size();
  }

  /** Whose account it is. */
  boolean[] peers(int account) {
    return accounts.get(account).peers();
  }

  private int partition(int account) {
    return (accounts.get(account).group() + turn) % partitions;
  }

  /** The range whose turn it is. */
  Range range(int account) {
    return whole.part(partition(account), partitions);
  }

  /** Samples in what is owed over that range; 0 where nothing is. */
  long samples(int account) {
    return samples - accounts.get(account).sentSamples()[partition(account)];
  }

  /** All are owed this gradient; after {@link #settle}. */
  void add(float[] gradient, long addedSamples) {
    if (++gradients > GRADIENTS_IN_TOTAL) {
      setBack();
    }
    Vectors.add(total, 0, gradient, 0, total.length);
    samples += addedSamples;
  }

  private void setBack() {
    for (Account account : accounts) {
      Vectors.subtract(account.sent(), 0, total, 0, total.length);
    }
    Arrays.fill(total, 0);
    gradients = 1;
  }

  /**
   * What is owed over the range whose turn it is, at the indices of the vector, to be sent now. It
   * stays there until {@link #settle}.
   */
  float[] owed(int account) {
    float[] sent = accounts.get(account).sent();
    Range range = range(account);
    Vectors.subtractFrom(sent, range.start(), total, range.start(), range.length());
    return sent;
  }

  /** All have had their turn, as far as they were owed something. */
  void turn() {
    turned = true;
  }

  /** What was sent is owed no more; the next partitions have their turn. */
  void settle() {
    if (!turned) {
      return;
    }
    turned = false;
    for (int i = 0; i < accounts.size(); i++) {
      if (samples(i) > 0) {
        Account account = accounts.get(i);
        Range range = range(i);
        System.arraycopy(total, range.start(), account.sent(), range.start(), range.length());
        account.sentSamples()[partition(i)] = samples;
      }
    }
    turn++;
    if (turn == partitions) {
      turn = 0;
      merge();
    }
  }

  /** The partitions have gone around: those of one group have been sent the same. */
  private void merge() {
    for (int i = 0; i < accounts.size(); i++) {
      for (int j = accounts.size() - 1; j > i; j--) {
        if (accounts.get(j).group() == accounts.get(i).group()) {
          boolean[] joining = accounts.remove(j).peers();
          for (int peer = 0; peer < ranks; peer++) {
            accounts.get(i).peers()[peer] |= joining[peer];
          }
        }
      }
    }
  }

  /** Another number of partitions, after {@link #settle}: what is owed is owed as before. */
  void repartition(int newPartitions) {
    List<Account> before = List.copyOf(accounts);
    int partitionsBefore = partitions;
    accounts.clear();
    partitions = newPartitions;
    turn = 0;
    for (Account account : before) {
      open(account.peers(), account.sent(), sentSamples(account.sentSamples(), partitionsBefore));
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

  /** Whether nobody is owed anything; after {@link #settle}. */
  boolean isClean() {
    for (Account account : accounts) {
      for (long sent : account.sentSamples()) {
        if (sent != samples) {
          return false;
        }
      }
    }
    return true;
  }
}
