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

class AccumulatorsTest {

  /** What one rank computes, and what the others have received of it. */
  private static final class Sharing {
    final SplittableRandom random;
    final int ranks;
    final int rank;
    final Accumulators accumulators;
    final float[][] received;
    private final float[] computed;
    int partitions;

    Sharing(long seed, int ranks) {
      this.random = new SplittableRandom(seed);
      this.ranks = ranks;
      int length = 1 + random.nextInt(40);
      this.rank = random.nextInt(ranks);
      this.partitions = anyPartitions();
      this.accumulators = accumulators(rank, ranks, length, partitions);
      this.received = new float[ranks][length];
      this.computed = new float[length];
    }

    private int anyPartitions() {
      return 1 + random.nextInt(ranks + 3);
    }

    void repartition() {
      partitions = anyPartitions();
      accumulators.repartition(partitions);
    }

    void compute() {
      float[] gradient = new float[computed.length];
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] = random.nextInt(-9, 10);
        computed[i] += gradient[i];
      }
      accumulate(accumulators, 1 + random.nextInt(3), gradient);
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
    Accumulators accumulators = sharing.accumulators;
    int turns = 0;
    for (int round = 0; round < 60; round++) {
      if (random.nextInt(8) == 0) {
        sharing.repartition();
        turns = 0;
      }
      sharing.compute();
      turn(accumulators, sharing.received);
      turns++;
      int most = turns >= sharing.partitions ? Math.min(sharing.partitions, ranks - 1) : ranks - 1;
      assertThat(accumulators.count()).isLessThanOrEqualTo(most);
    }
    for (int left = sharing.partitions; left > 0; left--) {
      turn(accumulators, sharing.received);
    }
    assertThat(accumulators.isAllSent()).isTrue();
    sharing.checkReceived();
  }

  /**
   * Peers leave and come back at any time, also while a turn is being sent: who is sent what only
   * then waits has it once all the same, and in the end there are as few accumulators as before.
   */
  @Property
  void whoLeavesIsOwedWhatItMisses(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 9) int ranks) {
    Sharing sharing = new Sharing(seed, ranks);
    SplittableRandom random = sharing.random;
    Accumulators accumulators = sharing.accumulators;
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
          turn(accumulators, sharing.received, -1, random);
          accumulators.back(peer);
        } else {
          accumulators.back(peer);
          turn(accumulators, sharing.received, -1, random);
        }
      } else if (random.nextInt(3) == 0) {
        away.set(peer);
        turn(accumulators, sharing.received, peer, random);
      } else {
        turn(accumulators, sharing.received, -1, random);
      }
      accumulators.markSent();
      assertThat(accumulators.count()).isLessThan(ranks);
    }
    away.stream().forEach(accumulators::back);
    for (int left = 2 * sharing.partitions; left > 0; left--) {
      turn(accumulators, sharing.received);
    }
    assertThat(accumulators.isAllSent()).isTrue();
    assertThat(accumulators.count()).isEqualTo(Math.min(sharing.partitions, ranks - 1));
    sharing.checkReceived();
  }

  @Test
  void whatIsOwedToOneThatIsAwayIsNotSent_andNotForgotten() {
    Accumulators accumulators = accumulators(0, 3, 6, 1);
    accumulators.absent(1, Range.EMPTY);
    accumulate(accumulators, 5, new float[] {1, 1, 1, 1, 1, 1});
    float[][] received = new float[3][6];
    turn(accumulators, received);
    assertThat(received[2]).containsOnly(1);
    assertThat(received[1]).containsOnly(0);
    assertThat(accumulators.isAllSent()).isFalse();
    assertThat(accumulators.isSentToPresent()).isTrue();
  }

  /** The total is set back while something of it is not sent over every range. */
  @Property(tries = 30)
  void aLongRunSendsEverythingOnce(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 9) int ranks) {
    Sharing sharing = new Sharing(seed, ranks);
    for (int round = 0; round < 600; round++) {
      sharing.compute();
      turn(sharing.accumulators, sharing.received);
    }
    for (int left = sharing.partitions; left > 0; left--) {
      turn(sharing.accumulators, sharing.received);
    }
    assertThat(sharing.accumulators.isAllSent()).isTrue();
    sharing.checkReceived();
  }

  /** Of a total that grows for ever, small gradients would vanish: 2^24 + 1 is no float. */
  @Test
  void aLongRunRoundsNothingAway() {
    Accumulators accumulators = accumulators(0, 2, 1, 1);
    float[][] received = new float[2][1];
    accumulate(accumulators, 1, new float[] {1 << 24});
    turn(accumulators, received);
    for (int round = 1; round < 1000; round++) {
      received[1][0] = 0;
      accumulate(accumulators, 1, new float[] {1});
      turn(accumulators, received);
    }
    assertThat(received[1][0]).isEqualTo(1);
  }

  @Test
  void aRoundWithoutASampleOwesNothing() {
    Accumulators accumulators = accumulators(1, 4, 6, 2);
    assertThat(accumulators.isAllSent()).isTrue();
    assertThat(accumulators.samples(0)).isZero();
    accumulate(accumulators, 5, new float[6]);
    assertThat(accumulators.isAllSent()).isFalse();
    assertThat(accumulators.samples(0)).isEqualTo(5);
  }

  private static void accumulate(Accumulators accumulators, int samples, float[] gradient) {
    Vectors.add(accumulators.accumulate(samples), gradient, Range.ofLength(gradient.length));
  }

  /** As an exchange does it: what is accumulated is sent, and marked so when it is. */
  private static void turn(Accumulators accumulators, float[][] received) {
    turn(accumulators, received, -1, new SplittableRandom(0));
    accumulators.markSent();
  }

  /**
   * One that is not marked as sent, during which a peer leaves, if any: of its range it has a part.
   */
  private static void turn(
      Accumulators accumulators, float[][] received, int leaving, SplittableRandom random) {
    Range unsent = Range.EMPTY;
    for (int i = 0; i < accumulators.count(); i++) {
      if (accumulators.samples(i) > 0) {
        Range range = accumulators.range(i);
        float[] values = accumulators.unsent(i);
        boolean[] peers = accumulators.peers(i);
        for (int peer = 0; peer < peers.length; peer++) {
          int end = range.end();
          if (peers[peer] && peer == leaving) {
            end = random.nextInt(range.start(), range.end() + 1);
            unsent = new Range(end, range.end());
          }
          for (int at = range.start(); at < end && peers[peer]; at++) {
            received[peer][at] += values[at];
          }
        }
      }
    }
    accumulators.turn();
    if (leaving >= 0) {
      accumulators.absent(leaving, unsent);
    }
  }

  private static Accumulators accumulators(int rank, int ranks, int length, int partitions) {
    return new Accumulators(new ExchangeConfig(rank, ranks, length, length, 0), partitions, true);
  }
}
