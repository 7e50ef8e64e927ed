package dev.braid.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.registry.ExchangeType;
import dev.braid.worker.TrainersByHand.Rank;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/**
 * Gradient sharing reaches an epoch's end, or the end of the run, while a rank is excluded. Steps
 * are quarters of whole numbers, which are exact.
 */
class EndWithoutARankTest {

  private static final int RANKS = 4;
  private static final int EPOCH = TrainersByHand.ROUNDS_PER_EPOCH;

  private static List<Integer> without(int rank) {
    return IntStream.range(0, RANKS).filter(it -> it != rank).boxed().toList();
  }

  private static void leaveOut(TrainersByHand training, int rank) {
    training.cutOff(rank);
    training.enter(without(rank), 0, without(rank));
  }

  private static void isBack(TrainersByHand training, int rank) {
    training.heal(rank);
    training.enter(IntStream.range(0, RANKS).boxed().toList(), 0, without(rank));
  }

  private static void assertSame(TrainersByHand training) {
    for (int rank = 0; rank < RANKS; rank++) {
      assertThat(training.rank(rank).isDone()).as(training.toString()).isTrue();
      assertThat(training.rank(rank).weights()).isEqualTo(training.rank(0).weights());
      assertThat(training.rank(rank).weights()[0]).isNegative();
    }
  }

  /**
   * The target is reached without the rank: the others wait for it, and it receives the gradients
   * that it lacks, and ends as well.
   */
  @Property(generation = GenerationMode.EXHAUSTIVE)
  void whereTheTargetIsReached_theEndWaitsForTheRank(
      @ForAll @IntRange(max = RANKS - 1) int away, @ForAll boolean asksFirst) {
    TrainersByHand training = new TrainersByHand(ExchangeType.SHARING, RANKS, true);
    training.batches(EPOCH - 1);
    Rank other = training.rank((away + 1) % RANKS);
    if (asksFirst) {
      training.cutOff(away);
      training.batches(EPOCH);
      assertThat(other.toldAbsent()).isEmpty();
    }
    leaveOut(training, away);
    training.batches(EPOCH);
    assertThat(other.awaitsVerdict()).as(training.toString()).isTrue();
    assertThat(other.asked()).containsOnly(0);
    assertThat(other.toldAbsent()).containsExactly(away);

    training.stopAfter(0);
    assertThat(other.isDone()).as("the end waits for rank " + away).isFalse();
    isBack(training, away);
    training.stopAfter(0);
    assertSame(training);
    for (int rank = 0; rank < RANKS; rank++) {
      assertThat(training.rank(rank).rounds()).isEqualTo(EPOCH);
      assertThat(training.rank(rank).reported()).hasSize(1);
    }
  }

  /** The others have no batches left; the excluded rank has some left, and uses them. */
  @Property(generation = GenerationMode.EXHAUSTIVE)
  void whereBatchesEnd_theEndWaitsForTheRank(@ForAll @IntRange(max = RANKS - 1) int away) {
    TrainersByHand training = new TrainersByHand(ExchangeType.SHARING, RANKS, false);
    training.batches(1);
    leaveOut(training, away);
    training.batches(2 * EPOCH);
    training.exhausted();
    assertThat(training.rank((away + 1) % RANKS).rounds()).isEqualTo(2 * EPOCH);
    assertThat(training.rank((away + 1) % RANKS).isDone()).isFalse();
    assertThat(training.rank(away).rounds()).isEqualTo(1);

    isBack(training, away);
    assertSame(training);
    assertThat(training.rank(away).rounds()).isEqualTo(2 * EPOCH);
  }

  /**
   * All ranks are done, but not all have reported it when a rank is cut off: no rank is done
   * without it.
   */
  @Test
  void aRankThatIsLeftOutAtTheEnd_isBackAtTheEnd() {
    TrainersByHand training = new TrainersByHand(ExchangeType.SHARING, RANKS, false);
    training.batches(EPOCH);
    training.exhausted();
    assertSame(training);
    leaveOut(training, 2);
    isBack(training, 2);
    assertSame(training);
  }
}
