package dev.braid.exchange.coded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.coding.CodeTree;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.TreeChoice;
import dev.braid.topology.RegularTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Tests, round by round, two workers below the master at rank 0; one of the workers may be late.
 */
class PlannedReduceTest {

  private static final int RANKS = 2;
  private static final double SECOND = 1e9;

  private final Deque<Message> underWay = new ArrayDeque<>();

  /** Times of rank 1, in the order of epochs. */
  private final List<TreeChoice.Times> told = new ArrayList<>();

  /** Sums at both ranks. */
  private final List<float[]> sums = new ArrayList<>();

  private final List<PlannedReduce> ranks = List.of(rank(0), rank(1));

  private PlannedReduce rank(int rank) {
    ExchangeOptions options =
        ExchangeOptions.defaults(RANKS)
            .with(CodedOptions.CHILDREN, 2)
            .with(CodedOptions.STRAGGLERS, 1)
            .with(CodedOptions.PLAN, CodedOptions.Plan.AUTO);
    ExchangeConfig config = new ExchangeConfig(rank, RANKS, 3, 3, 0, options);
    PlannedReduce reduce =
        new PlannedReduce(config, new Sending(), new CodeTree(new RegularTree(RANKS, 2), 1));
    reduce.drawFrom(() -> new SplittableRandom(1));
    return reduce;
  }

  /** A port whose messages are delivered by {@link #deliver}. */
  private final class Sending implements Port {

    @Override
    public long nowNanos() {
      return 0;
    }

    @Override
    public void send(Message message) {
      underWay.add(message);
    }

    @Override
    public void wakeAt(long nanos) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void update(Update update) {
      sums.add(update.values().toArray());
    }

    @Override
    public float[][] model() {
      throw new UnsupportedOperationException();
    }
  }

  private void deliver() {
    while (!underWay.isEmpty()) {
      Message message = underWay.remove();
      if (message.from() == 1 && message.body() instanceof TreeChoice.Times times) {
        told.add(times);
      }
      ranks.get(message.to()).receive(message);
    }
  }

  /** Completes a round that is an epoch, to which the given ranks contribute. */
  private void round(long round, int... contributing) {
    sums.clear();
    ranks.forEach(rank -> rank.enter(round, true));
    deliver();
    for (int rank : contributing) {
      assertThat(ranks.get(rank).mayCompute()).isTrue();
      ranks.get(rank).computed(SECOND);
      ranks.get(rank).contribute(new Contribution(round, new float[] {1, 2, 3}, 2));
      deliver();
    }
    assertThat(ranks).allMatch(rank -> rank.completedRounds() == round + 1);
    assertThat(ranks).allMatch(rank -> rank.plan().isPresent());
    assertThat(sums).hasSize(RANKS).allSatisfy(sum -> assertThat(sum).containsExactly(1, 2, 3));
  }

  /** The long computation shows how slow the rank is, in the epoch after its own. */
  @Test
  void aGradientThatComesBehindItsEpochIsInTheTimesOfTheNext_once() {
    round(0, 0);
    assertThat(told).hasSize(1);
    assertThat(told.get(0).payload().isEmpty()).as("nothing is known of it").isTrue();
    ranks.get(1).computed(20 * SECOND);
    round(1, 0);
    assertThat(times(1)).containsExactly(20);
    round(2, 0);
    assertThat(told.get(2).payload().isEmpty()).isTrue();
    round(3, 1);
    assertThat(times(3)).containsExactly(1);
  }

  /**
   * A gradient between an epoch's end and the choice is not in the times when they are sent again.
   */
  @Test
  void timesThatAreToldAgainAreThoseOfTheEpoch() {
    ranks.forEach(rank -> rank.enter(0, true));
    deliver();
    ranks.get(0).contribute(new Contribution(0, new float[3], 2));
    while (ranks.get(1).plan().isPresent()) {
      Message next = underWay.remove();
      ranks.get(next.to()).receive(next);
    }
    underWay.clear();
    ranks.get(1).computed(20 * SECOND);
    ranks.forEach(PlannedReduce::rollBack);
    ranks.forEach(PlannedReduce::resume);
    deliver();
    assertThat(ranks).allMatch(rank -> rank.plan().isPresent());
    assertThat(told).hasSize(1);
    assertThat(told.get(0).payload().isEmpty()).isTrue();
    round(1, 0);
    assertThat(times(1)).containsExactly(20);
  }

  /** An answer of a past epoch that was delayed is not used in the next. */
  @Test
  void anAnswerThatComesBehindItsEpochIsInNoSum() {
    ranks.forEach(rank -> rank.enter(0, true));
    deliver();
    ranks.get(1).contribute(new Contribution(0, new float[] {7, 7, 7}, 2));
    Message late = underWay.remove();
    assertThat(late.to()).isZero();
    ranks.get(0).contribute(new Contribution(0, new float[] {7, 7, 7}, 2));
    deliver();
    assertThat(ranks).allMatch(rank -> rank.completedRounds() == 1 && rank.plan().isPresent());
    ranks.get(0).receive(late);
    round(1, 0);
    ranks.get(0).receive(late);
    round(2, 1);
  }

  private float[] times(int epoch) {
    return told.get(epoch).payload().dense().toArray();
  }
}
