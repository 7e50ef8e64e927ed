package dev.braid.exchange.async;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a rank owes its peers: the sums of its gradients that they have not been sent yet, with the
 * vector in partitions and the peers in groups. Peers of one group are sent the same partition in
 * the same round, and the partitions of groups are as far apart as can be: so where ranks keep
 * step, what they have for one partition reaches a rank in turns, and not all at once after a long
 * while, as too long a step.
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
 * there can be n − 1. So it is with a peer that has left: from then on it has an account of its
 * own, which is not sent from until it is back, and is merged when it has had each partition again.
 */
final class Accounts {

  private static final int GRADIENTS_IN_TOTAL = 256;

  /** Of peers that are sent the same. */
  private static final class Account {
    final int group;
    final boolean[] peers;

    /** By element: the total when it was last sent; where it is under way, what is sent. */
    final float[] sent;

    /** By partition: the samples in the total when it was last sent. */
    final long[] sentSamples;

    /** Whether it had that turn. */
    boolean turned;

    /** Whether its peer, the only one, has left. */
    boolean away;

    /** Turns until it has had each partition since its peers came together. */
    int turnsToMerge;

    Account(int group, boolean[] peers, float[] sent, long[] sentSamples) {
      this.group = group;
      this.peers = peers;
      this.sent = sent;
      this.sentSamples = sentSamples;
      this.turnsToMerge = sentSamples.length;
    }
  }

  private final int rank;
  private final int ranks;
  private final Range whole;
  private final float[] total;
  private final List<Account> accounts = new ArrayList<>();

  private int partitions;
  private long samples;
  private int gradients;

  /** All groups are on by so many partitions. */
  private int turn;

  /** Whether a turn was had that is not settled. */
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
    open(peers, new float[total.length], new long[partitions], false);
  }

  /** An account for each group of these peers, with this content. */
  private void open(boolean[] peers, float[] sent, long[] sentSamples, boolean away) {
    boolean taken = false;
    for (int group = 0; group < partitions && group < ranks - 1; group++) {
      boolean[] members = inGroup(group, peers);
      if (contains(members)) {
        float[] own = taken ? sent.clone() : sent;
        Account account = new Account(group, members, own, sentSamples.clone());
        account.away = away;
        accounts.add(account);
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
    return accounts.get(account).peers;
  }

  private int partition(Account account) {
    int groups = Math.min(partitions, ranks - 1);
    return (int) ((long) account.group * partitions / groups + turn) % partitions;
  }

  /** The range whose turn it is. */
  Range range(int account) {
    return range(accounts.get(account));
  }

  private Range range(Account account) {
    return whole.part(partition(account), partitions);
  }

  /** Samples in what is to be sent over that range; 0 where nothing is. */
  long samples(int account) {
    Account chosen = accounts.get(account);
    return chosen.away ? 0 : samples(chosen);
  }

  private long samples(Account account) {
    return samples - account.sentSamples[partition(account)];
  }

  /**
   * All are owed one more gradient, over so many samples; after {@link #settle}.
   *
   * @return to what it is to be added, at once
   */
  float[] owe(long addedSamples) {
    if (++gradients > GRADIENTS_IN_TOTAL) {
      setBack();
    }
    samples += addedSamples;
    return total;
  }

  private void setBack() {
    for (Account account : accounts) {
      Vectors.subtract(account.sent, total, whole);
    }
    Arrays.fill(total, 0);
    gradients = 1;
  }

  /**
   * What is owed over the range whose turn it is, at the indices of the vector, to be sent now. It
   * stays there until {@link #settle}.
   */
  float[] owed(int account) {
    takeFromTotal(accounts.get(account).sent, range(account));
    return accounts.get(account).sent;
  }

  /** Twice the same is as before. */
  private void takeFromTotal(float[] sent, Range range) {
    Vectors.subtractFrom(sent, total, range);
  }

  /** All have had their turn, as far as they are there and were owed something. */
  void turn() {
    turned = true;
    for (Account account : accounts) {
      account.turned = !account.away;
    }
  }

  /** What was sent is owed no more; the next partitions have their turn. */
  void settle() {
    if (!turned) {
      return;
    }
    turned = false;
    for (Account account : accounts) {
      if (account.turned) {
        settle(account, range(account));
        account.turnsToMerge = Math.max(0, account.turnsToMerge - 1);
      }
    }
    turn++;
    if (turn == partitions) {
      turn = 0;
      merge();
    }
  }

  private void settle(Account account, Range range) {
    account.turned = false;
    if (samples(account) > 0) {
      System.arraycopy(total, range.start(), account.sent, range.start(), range.length());
      account.sentSamples[partition(account)] = samples;
    }
  }

  /** The partitions have gone around: those of one group have been sent the same, or will be. */
  private void merge() {
    for (int i = 0; i < accounts.size(); i++) {
      for (int j = accounts.size() - 1; j > i; j--) {
        if (areAlike(accounts.get(i), accounts.get(j))) {
          boolean[] joining = accounts.remove(j).peers;
          for (int peer = 0; peer < ranks; peer++) {
            accounts.get(i).peers[peer] |= joining[peer];
          }
        }
      }
    }
  }

  private static boolean areAlike(Account one, Account other) {
    return one.group == other.group && one.turnsToMerge == 0 && other.turnsToMerge == 0;
  }

  /**
   * A peer has left, and is sent nothing before it is back.
   *
   * @param unsent the end, or nothing, of what this turn had for it
   */
  void leave(int peer, Range unsent) {
    Account account = accountOfItsOwn(peer);
    account.away = true;
    account.turnsToMerge = partitions;
    if (!account.turned) {
      return;
    }
    if (unsent.isEmpty()) {
      settle(account, range(account));
    } else {
      // The partition's samples stay owed: of what was sent of it, nothing is owed over them.
      account.turned = false;
      Range sent = new Range(range(account).start(), unsent.start());
      System.arraycopy(total, sent.start(), account.sent, sent.start(), sent.length());
      takeFromTotal(account.sent, unsent);
    }
  }

  private Account accountOfItsOwn(int peer) {
    Account shared = accountOf(peer);
    shared.peers[peer] = false;
    if (!contains(shared.peers)) {
      shared.peers[peer] = true;
      return shared;
    }
    boolean[] peers = new boolean[ranks];
    peers[peer] = true;
    Account own = new Account(shared.group, peers, shared.sent.clone(), shared.sentSamples.clone());
    own.turned = shared.turned;
    accounts.add(own);
    return own;
  }

  private Account accountOf(int peer) {
    return accounts.stream().filter(account -> account.peers[peer]).findFirst().orElseThrow();
  }

  /** A peer is back, and has its turns with the others. */
  void comeBack(int peer) {
    accountOf(peer).away = false;
  }

  /** Another number of partitions, after {@link #settle}: what is owed is owed as before. */
  void repartition(int newPartitions) {
    List<Account> before = List.copyOf(accounts);
    int partitionsBefore = partitions;
    accounts.clear();
    partitions = newPartitions;
    turn = 0;
    for (Account account : before) {
      long[] sentSamples = sentSamples(account.sentSamples, partitionsBefore);
      open(account.peers, account.sent, sentSamples, account.away);
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
    return accounts.stream().noneMatch(this::isOwed);
  }

  /** Whether nobody who is there is owed anything; after {@link #settle}. */
  boolean isCleanWithPresent() {
    return accounts.stream().noneMatch(account -> !account.away && isOwed(account));
  }

  /** Whether a peer that has left is owed anything. */
  boolean isOwed(int peer) {
    return isOwed(accountOf(peer));
  }

  private boolean isOwed(Account account) {
    return Arrays.stream(account.sentSamples).anyMatch(sent -> sent != samples);
  }
}
