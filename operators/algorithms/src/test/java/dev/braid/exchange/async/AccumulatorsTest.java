package dev.braid.exchange.async;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.transport.Outbox.Unsent;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AccumulatorsTest {

  /** The gradients of one rank, and the parts that the others have received of them. */
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

    /**
     * Sends at most this many chunks to each of these peers, and removes peers that have caught up.
     */
    void catchUp(BitSet peers, int chunks) {
      for (int peer : peers.stream().toArray()) {
        int left = chunks;
        while (!accumulators.hasCaughtUp(peer) && left-- > 0) {
          accumulators.sendMissed(peer, chunk -> receive(peer, chunk));
        }
        if (accumulators.hasCaughtUp(peer)) {
          accumulators.endCatchUp(peer);
          peers.clear(peer);
        }
      }
    }

    private void receive(int peer, Unsent chunk) {
      assertThat(chunk.samples()).isPositive();
      assertThat(chunk.range().isEmpty()).isFalse();
      for (int at = chunk.range().start(); at < chunk.range().end(); at++) {
        received[peer][at] += chunk.values()[at];
      }
    }

    /** Checks that all others have received all gradients. */
    void checkReceived() {
      for (int peer = 0; peer < ranks; peer++) {
        assertThat(received[peer]).isEqualTo(peer == rank ? new float[computed.length] : computed);
      }
    }
  }

  /** Checks that each peer receives each gradient once, whatever p is, and however it changes. */
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
   * Peers leave and rejoin at any time, also while a turn is being sent. A peer receives a waiting
   * gradient once all the same, and in the end there are as few accumulators as before.
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
          accumulators.endCatchUp(peer);
        } else {
          accumulators.endCatchUp(peer);
          turn(accumulators, sharing.received, -1, random);
        }
      } else if (random.nextInt(3) == 0) {
        away.set(peer);
        turn(accumulators, sharing.received, peer, random);
      } else {
        turn(accumulators, sharing.received, -1, random);
      }
      accumulators.endTurn();
      assertThat(accumulators.count()).isLessThan(ranks);
    }
    away.stream().forEach(accumulators::endCatchUp);
    for (int left = 2 * sharing.partitions; left > 0; left--) {
      turn(accumulators, sharing.received);
    }
    assertThat(accumulators.isAllSent()).isTrue();
    assertThat(accumulators.count()).isEqualTo(Math.min(sharing.partitions, ranks - 1));
    sharing.checkReceived();
  }

  /**
   * Peers that have rejoined catch up at any pace, while gradients are computed, partitions change,
   * and peers leave and rejoin, including themselves.
   */
  @Property
  void whoIsBackCatchesUp(@ForAll long seed, @ForAll @IntRange(min = 2, max = 9) int ranks) {
    Sharing sharing = new Sharing(seed, ranks);
    SplittableRandom random = sharing.random;
    Accumulators accumulators = sharing.accumulators;
    BitSet away = new BitSet();
    BitSet catchingUp = new BitSet();
    for (int round = 0; round < 80; round++) {
      if (random.nextInt(12) == 0) {
        sharing.repartition();
      }
      if (random.nextInt(3) > 0) {
        sharing.compute();
      }
      int peer = (sharing.rank + 1 + random.nextInt(ranks - 1)) % ranks;
      int leaving = -1;
      if (away.get(peer)) {
        away.clear(peer);
        catchingUp.set(peer);
        accumulators.beginCatchUp(peer);
      } else if (random.nextInt(3) == 0) {
        away.set(peer);
        catchingUp.clear(peer);
        leaving = peer;
      }
      sharing.catchUp(catchingUp, random.nextInt(4));
      turn(accumulators, sharing.received, leaving, random);
      sharing.catchUp(catchingUp, random.nextInt(4));
      accumulators.endTurn();
      assertThat(accumulators.count()).isLessThan(ranks);
    }
    away.stream().forEach(accumulators::beginCatchUp);
    away.or(catchingUp);
    sharing.catchUp(away, Integer.MAX_VALUE);
    assertThat(away.isEmpty()).isTrue();
    for (int left = 2 * sharing.partitions; left > 0; left--) {
      turn(accumulators, sharing.received);
    }
    assertThat(accumulators.isAllSent()).isTrue();
    assertThat(accumulators.count()).isEqualTo(Math.min(sharing.partitions, ranks - 1));
    sharing.checkReceived();
  }

  /**
   * Uses three partitions of four elements, in chunks of three; a peer that lacks nothing is sent
   * nothing.
   */
  @Test
  void whatIsMissedIsSentChunkByChunk_overItsSamples() {
    Accumulators accumulators = accumulators(0, 2, 12, 3);
    float[] ones = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    accumulate(accumulators, 5, ones);
    turn(accumulators, new float[2][12]);
    accumulators.markAbsent(1, unsent(Range.EMPTY));
    assertThat(accumulators.hasUnsent(1)).isTrue();
    accumulators.beginCatchUp(1);
    List<Unsent> sent = new ArrayList<>();
    while (!accumulators.hasCaughtUp(1)) {
      accumulators.sendMissed(1, sent::add);
      if (sent.size() == 1) {
        accumulate(accumulators, 2, ones);
      }
    }
    assertThat(sent)
        .extracting(Unsent::range)
        .containsExactly(new Range(4, 7), new Range(7, 8), new Range(8, 11), new Range(11, 12));
    assertThat(sent).extracting(Unsent::samples).containsExactly(5L, 7L, 7L, 7L);
    accumulators.endCatchUp(1);
    float[][] received = new float[2][12];
    for (int partition = 0; partition < 3; partition++) {
      turn(accumulators, received);
    }
    assertThat(received[1]).containsExactly(1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0);
    assertThat(accumulators.isAllSent()).isTrue();
  }

  @Test
  void whatIsOwedToOneThatIsAwayIsNotSent_andNotForgotten() {
    Accumulators accumulators = accumulators(0, 3, 6, 1);
    accumulators.markAbsent(1, unsent(Range.EMPTY));
    accumulate(accumulators, 5, new float[] {1, 1, 1, 1, 1, 1});
    float[][] received = new float[3][6];
    turn(accumulators, received);
    assertThat(received[2]).containsOnly(1);
    assertThat(received[1]).containsOnly(0);
    assertThat(accumulators.isAllSent()).isFalse();
    assertThat(accumulators.isSentToPresent()).isTrue();
  }

  /** The total is set back while part of it has not been sent over every range. */
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

  /** In a total that grows forever, small gradients would vanish: 2^24 + 1 is not a float. */
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
    accumulators.add(gradient, samples);
  }

  /**
   * Sends a turn in the way of an exchange: the accumulated gradients, which are then marked as
   * sent.
   */
  private static void turn(Accumulators accumulators, float[][] received) {
    turn(accumulators, received, -1, new SplittableRandom(0));
    accumulators.endTurn();
  }

  /**
   * Sends a turn that is not marked as sent, during which a peer may leave with a part of its
   * range.
   */
  private static void turn(
      Accumulators accumulators, float[][] received, int leaving, SplittableRandom random) {
    Range unsent = Range.EMPTY;
    for (int i = 0; i < accumulators.count(); i++) {
      if (accumulators.samples(i) > 0) {
        Range range = accumulators.range(i);
        float[] values = accumulators.prepareUnsent(i);
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
    accumulators.markPosted();
    if (leaving >= 0) {
      accumulators.markAbsent(leaving, unsent(unsent));
    }
  }

  private static Accumulators accumulators(int rank, int ranks, int length, int partitions) {
    return new Accumulators(new ExchangeConfig(rank, ranks, length, 3, 0), partitions, true);
  }

  private static Unsent unsent(Range range) {
    return new Unsent(range, 0, new float[0]);
  }
}
