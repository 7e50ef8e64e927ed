package dev.braid.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.worker.TrainersByHand.Rank;
import dev.braid.worker.TrainersByHand.Rank.Said;
import dev.braid.worker.report.EpochScore;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * A rank takes long to evaluate the first epoch, and is excluded meanwhile. When the score arrives,
 * the rank is at another position in its data, and the score is discarded.
 */
class LateScoreTest {

  private enum Comes {
    WHILE_HELD,
    WHILE_LEFT_OUT,
    WHEN_BACK
  }

  private static final int FIRST_EPOCH = TrainersByHand.ROUNDS_PER_EPOCH;
  private static final int LATE = 0;

  @Provide
  Arbitrary<Integer> heldAfter() {
    return Arbitraries.of(FIRST_EPOCH + 1, 2 * FIRST_EPOCH, 2 * FIRST_EPOCH + 1);
  }

  /** {@link Position#missUntil} drops batches, so the rank's position is a later one. */
  @Property(generation = GenerationMode.EXHAUSTIVE)
  void countsForNoEpoch_whereACheckpointHoldsTheRankAfterALaterRound(
      @ForAll Comes late, @ForAll("heldAfter") int heldAfter, @ForAll boolean hasTarget) {
    TrainersByHand training = new TrainersByHand(3, hasTarget);
    Rank rank = training.rank(2);
    rank.evaluatesSlowly();
    training.batches(FIRST_EPOCH);
    assertThat(rank.isEvaluating()).isTrue();
    training.cutOff(2);
    training.enter(List.of(0, 1), FIRST_EPOCH, List.of(0, 1));
    training.continueAfter(0);
    training.batches(2 * FIRST_EPOCH < heldAfter ? 2 * FIRST_EPOCH : heldAfter);
    training.continueAfter(2 * FIRST_EPOCH < heldAfter ? 1 : 0);
    training.batches(heldAfter);
    assertThat(training.rank(0).rounds()).isEqualTo(heldAfter);

    training.checkpoint(
        heldAfter,
        () -> {
          if (late == Comes.WHILE_HELD) {
            rank.lateScoreComes();
          }
        });
    if (late == Comes.WHILE_LEFT_OUT) {
      rank.lateScoreComes();
    }
    assertThat(rank.rounds()).isEqualTo(heldAfter);
    assertThat(rank.awaitsVerdict()).isFalse();
    assertThat(rank.asked()).isEmpty();

    training.heal(2);
    training.enter(List.of(0, 1, 2), heldAfter, List.of(0, 1));
    if (late == Comes.WHEN_BACK) {
      rank.lateScoreComes();
    }
    training.continueAfter(1);
    training.batches(heldAfter + 1);

    assertNextRoundIsComplete(training, heldAfter + 1);
    assertThat(rank.reported()).first().isEqualTo(new Said(0, EpochScore.NONE));
    assertEpochsOnce_andNoLateScore(rank, heldAfter / FIRST_EPOCH);
  }

  /** {@link Position#setBack} undoes a round that no other rank has. */
  @Property(generation = GenerationMode.EXHAUSTIVE)
  void countsForNoEpoch_whereTheRankIsSetBackBehindItsEnd(
      @ForAll boolean comesWhenBack, @ForAll boolean othersGoOn, @ForAll boolean hasTarget) {
    TrainersByHand training = new TrainersByHand(3, hasTarget);
    Rank rank = training.rank(0);
    rank.evaluatesSlowly();
    training.batches(FIRST_EPOCH, rank::isEvaluating);

    leaveOutAlone(training, rank, othersGoOn);
    if (!comesWhenBack) {
      rank.lateScoreComes();
    }
    assertThat(rank.awaitsVerdict()).isFalse();
    assertThat(rank.asked()).isEmpty();

    rejoin(training, othersGoOn);
    if (comesWhenBack) {
      rank.lateScoreComes();
    }
    assertGoesOn(training, rank, othersGoOn);
  }

  @Property(generation = GenerationMode.EXHAUSTIVE)
  void awaitsNoVerdict_whereTheRankIsSetBackBehindTheEpochsEnd(@ForAll boolean othersGoOn) {
    TrainersByHand training = new TrainersByHand(3, true);
    Rank rank = training.rank(0);
    rank.evaluatesSlowly();
    training.batches(FIRST_EPOCH, rank::isEvaluating);
    training.cutOff(0);
    rank.lateScoreComes();
    assertThat(rank.awaitsVerdict()).isTrue();

    leaveOutAlone(training, rank, othersGoOn);
    assertThat(rank.awaitsVerdict()).isFalse();

    rejoin(training, othersGoOn);
    assertGoesOn(training, rank, othersGoOn);
  }

  /** Excludes the root of the tree when only the root has completed the first epoch. */
  private static void leaveOutAlone(TrainersByHand training, Rank root, boolean othersGoOn) {
    assertThat(root.rounds()).isEqualTo(FIRST_EPOCH);
    assertThat(training.rank(1).rounds()).isEqualTo(FIRST_EPOCH - 1);
    assertThat(training.rank(2).rounds()).isEqualTo(FIRST_EPOCH - 1);
    training.cutOff(0);
    if (!othersGoOn) {
      training.cutOff(1);
    }
    training.enter(List.of(1, 2), FIRST_EPOCH - 1, List.of(1, 2));
    assertThat(root.rounds()).isEqualTo(FIRST_EPOCH - 1);
    training.continueAfter(0);
    if (othersGoOn) {
      training.batches(FIRST_EPOCH + 1);
    }
  }

  private static void rejoin(TrainersByHand training, boolean othersHaveGoneOn) {
    training.heal(0);
    training.heal(1);
    long round = training.rank(1).rounds();
    assertThat(round).isEqualTo(othersHaveGoneOn ? FIRST_EPOCH + 1 : FIRST_EPOCH - 1);
    training.enter(List.of(0, 1, 2), round, List.of(1, 2));
  }

  private static void assertGoesOn(TrainersByHand training, Rank root, boolean missedTheEpoch) {
    training.continueAfter(0);
    training.batches(FIRST_EPOCH + 1);
    training.continueAfter(0);
    training.batches(2 * FIRST_EPOCH);
    training.continueAfter(1);
    training.batches(2 * FIRST_EPOCH + 1);

    assertNextRoundIsComplete(training, 2 * FIRST_EPOCH + 1);
    assertThat(root.reported().get(0).score().equals(EpochScore.NONE)).isEqualTo(missedTheEpoch);
    assertEpochsOnce_andNoLateScore(root, 2);
  }

  private static void assertNextRoundIsComplete(TrainersByHand training, long rounds) {
    for (int rank = 0; rank < 3; rank++) {
      assertThat(training.rank(rank).rounds()).as(training.toString()).isEqualTo(rounds);
      assertThat(training.rank(rank).weights()).isEqualTo(training.rank(0).weights());
    }
  }

  /**
   * Checks that each epoch that has certainly ended is reported once, and without the late score.
   */
  private static void assertEpochsOnce_andNoLateScore(Rank rank, int epochs) {
    assertThat(rank.reported()).extracting(Said::epoch).doesNotHaveDuplicates();
    assertThat(rank.reported()).hasSize(epochs);
    assertThat(rank.reported())
        .allSatisfy(
            said ->
                assertThat(said.score())
                    .satisfiesAnyOf(
                        score -> assertThat(score).isEqualTo(EpochScore.NONE),
                        score -> assertThat(score.score().correct()).isNotEqualTo(LATE)));
  }
}
