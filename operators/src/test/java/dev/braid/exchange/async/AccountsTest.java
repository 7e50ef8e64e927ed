package dev.braid.exchange.async;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.BitSet;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AccountsTest {

  /** What one rank computes, and what the others have received of it. */
  private static final class Sharing {
    final SplittableRandom random;
    final int ranks;
    final int rank;
    final Accounts accounts;
    final float[][] received;
    private final float[] computed;
    int partitions;

    Sharing(long seed, int ranks) {
      this.random = new SplittableRandom(seed);
      this.ranks = ranks;
      int length = 1 + random.nextInt(40);
      this.rank = random.nextInt(ranks);
      this.partitions = anyPartitions();
      this.accounts = accounts(rank, ranks, length, partitions);
      this.received = new float[ranks][length];
      this.computed = new float[length];
    }

    private int anyPartitions() {
      return 1 + random.nextInt(ranks + 3);
    }

    void repartition() {
      partitions = anyPartitions();
      accounts.repartition(partitions);
    }

    void compute() {
      float[] gradient = new float[computed.length];
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] = random.nextInt(-9, 10);
        computed[i] += gradient[i];
      }
      owe(accounts, 1 + random.nextInt(3), gradient);
    }

    /** All others have received what was computed. */
    void checkReceived() {
      for (int peer = 0; peer < ranks; peer++) {
        assertThat(received[peer]).isEqualTo(peer == rank ? new float[computed.length] : computed);
      }
    }
  }

  /** Whatever p is, and becomes, at any time: everyone is sent what was computed, once. */
  @Property
  void everyoneIsSentWhatWasComputed_whileTheNumberOfPartitionsChanges(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 9) int ranks) {
    Sharing sharing = new Sharing(seed, ranks);
    SplittableRandom random = sharing.random;
    Accounts accounts = sharing.accounts;
    int turns = 0;
    for (int round = 0; round < 60; round++) {
      if (random.nextInt(8) == 0) {
        sharing.repartition();
        turns = 0;
      }
      sharing.compute();
      turn(accounts, sharing.received);
      turns++;
      int most = turns >= sharing.partitions ? Math.min(sharing.partitions, ranks - 1) : ranks - 1;
      assertThat(accounts.count()).isLessThanOrEqualTo(most);
    }
    for (int left = sharing.partitions; left > 0; left--) {
      turn(accounts, sharing.received);
    }
    assertThat(accounts.isClean()).isTrue();
    sharing.checkReceived();
  }

  /**
   * Peers leave and come back at any time, also while a turn is being sent: who is sent what only
   * then waits has it once all the same, and in the end there are as few accounts as before.
   */
  @Property
  void whoLeavesIsOwedWhatItMisses(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 9) int ranks) {
    Sharing sharing = new Sharing(seed, ranks);
    SplittableRandom random = sharing.random;
    Accounts accounts = sharing.accounts;
    BitSet away = new BitSet();
    for (int round = 0; round < 60; round++) {
      if (random.nextInt(12) == 0) {
        sharing.repartition();
      }
      sharing.compute();
      int peer = (sharing.rank + 1 + random.nextInt(ranks - 1)) % ranks;
      if (away.get(peer)) {
        boolean meanwhile = random.nextBoolean();
        away.clear(peer);
        if (meanwhile) {
          turn(accounts, sharing.received, -1, random);
          accounts.comeBack(peer);
        } else {
          accounts.comeBack(peer);
          turn(accounts, sharing.received, -1, random);
        }
      } else if (random.nextInt(3) == 0) {
        away.set(peer);
        turn(accounts, sharing.received, peer, random);
      } else {
        turn(accounts, sharing.received, -1, random);
      }
      accounts.settle();
      assertThat(accounts.count()).isLessThan(ranks);
    }
    away.stream().forEach(accounts::comeBack);
    for (int left = 2 * sharing.partitions; left > 0; left--) {
      turn(accounts, sharing.received);
    }
    assertThat(accounts.isClean()).isTrue();
    assertThat(accounts.count()).isEqualTo(Math.min(sharing.partitions, ranks - 1));
    sharing.checkReceived();
  }

  @Test
  void whatIsOwedToOneThatIsAwayIsNotSent_andNotForgotten() {
    Accounts accounts = accounts(0, 3, 6, 1);
    accounts.leave(1, Range.EMPTY);
    owe(accounts, 5, new float[] {1, 1, 1, 1, 1, 1});
    float[][] received = new float[3][6];
    turn(accounts, received);
    assertThat(received[2]).containsOnly(1);
    assertThat(received[1]).containsOnly(0);
    assertThat(accounts.isClean()).isFalse();
    assertThat(accounts.isCleanWithPresent()).isTrue();
  }

  /** The total is set back while something of it is owed over every range. */
  @Property(tries = 30)
  void aLongRunSendsEverythingOnce(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 9) int ranks) {
    Sharing sharing = new Sharing(seed, ranks);
    for (int round = 0; round < 600; round++) {
      sharing.compute();
      turn(sharing.accounts, sharing.received);
    }
    for (int left = sharing.partitions; left > 0; left--) {
      turn(sharing.accounts, sharing.received);
    }
    assertThat(sharing.accounts.isClean()).isTrue();
    sharing.checkReceived();
  }

  /** Of a total that grows for ever, small gradients would vanish: 2^24 + 1 is no float. */
  @Test
  void aLongRunRoundsNothingAway() {
    Accounts accounts = accounts(0, 2, 1, 1);
    float[][] received = new float[2][1];
    owe(accounts, 1, new float[] {1 << 24});
    turn(accounts, received);
    for (int round = 1; round < 1000; round++) {
      received[1][0] = 0;
      owe(accounts, 1, new float[] {1});
      turn(accounts, received);
    }
    assertThat(received[1][0]).isEqualTo(1);
  }

  @Test
  void aRoundWithoutASampleOwesNothing() {
    Accounts accounts = accounts(1, 4, 6, 2);
    assertThat(accounts.isClean()).isTrue();
    assertThat(accounts.samples(0)).isZero();
    owe(accounts, 5, new float[6]);
    assertThat(accounts.isClean()).isFalse();
    assertThat(accounts.samples(0)).isEqualTo(5);
  }

  private static void owe(Accounts accounts, int samples, float[] gradient) {
    Vectors.add(accounts.owe(samples), gradient, Range.ofLength(gradient.length));
  }

  /** As an exchange does it: what is owed is sent, and all is settled when it is. */
  private static void turn(Accounts accounts, float[][] received) {
    turn(accounts, received, -1, new SplittableRandom(0));
    accounts.settle();
  }

  /** One that is not settled, during which a peer leaves, if any: of its range it has a part. */
  private static void turn(
      Accounts accounts, float[][] received, int leaving, SplittableRandom random) {
    Range unsent = Range.EMPTY;
    for (int i = 0; i < accounts.count(); i++) {
      if (accounts.samples(i) > 0) {
        Range range = accounts.range(i);
        float[] owed = accounts.owed(i);
        boolean[] peers = accounts.peers(i);
        for (int peer = 0; peer < peers.length; peer++) {
          int end = range.end();
          if (peers[peer] && peer == leaving) {
            end = random.nextInt(range.start(), range.end() + 1);
            unsent = new Range(end, range.end());
          }
          for (int at = range.start(); at < end && peers[peer]; at++) {
            received[peer][at] += owed[at];
          }
        }
      }
    }
    accounts.turn();
    if (leaving >= 0) {
      accounts.leave(leaving, unsent);
    }
  }

  private static Accounts accounts(int rank, int ranks, int length, int partitions) {
    return new Accounts(new ExchangeConfig(rank, ranks, length, length, 0), partitions, true);
  }
}
