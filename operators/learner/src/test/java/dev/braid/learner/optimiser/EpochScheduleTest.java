package dev.braid.learner.optimiser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.learner.optimiser.EpochSchedule.Constant;
import dev.braid.learner.optimiser.EpochSchedule.Cosine;
import dev.braid.learner.optimiser.EpochSchedule.Step;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class EpochScheduleTest {

  /**
   * Returns the steps of an epoch of 1,200 samples, in batches of 10, with this number of workers.
   */
  private static long stepsPerEpoch(int workers) {
    return 1200 / 10 / workers;
  }

  private static LearningRateSchedule begun(EpochSchedule schedule, int workers) {
    return new Pace(stepsPerEpoch(workers), 0, 0).of(schedule);
  }

  @Example
  void stepwise_changesAtItsEpochs_withAnyNumberOfWorkers() {
    EpochSchedule schedule = new EpochSchedule(new Step(3, 0.1), 0, 10);
    for (int workers : new int[] {1, 2, 4}) {
      LearningRateSchedule rates = begun(schedule, workers);
      long threeEpochs = 3 * stepsPerEpoch(workers);
      assertThat(rates.factor(threeEpochs - 1)).isEqualTo(1);
      assertThat(rates.factor(threeEpochs)).isEqualTo(0.1);
    }
    assertThat(schedule).hasToString("times 0.1 every 3 epochs");
  }

  /** Changes from four workers to two after one and a half epochs, and back after two more. */
  @Example
  void aRunThatGoesOnWithOthersHasTheRatesOfItsEpochs() {
    EpochSchedule schedule = new EpochSchedule(new Step(2, 0.1), 1, 10);
    Pace four = new Pace(stepsPerEpoch(4), 0, 0);
    Pace two = new Pace(stepsPerEpoch(2), 45, four.epochs(45));
    assertThat(two.epochs(45)).isEqualTo(1.5);
    LearningRateSchedule atTwo = two.of(schedule);
    // The warm-up is over, and epoch 3 ends after one and a half more epochs of 60 steps.
    assertThat(atTwo.factor(45)).isEqualTo(1);
    assertThat(atTwo.factor(45 + 89)).isEqualTo(1);
    assertThat(atTwo.factor(45 + 90)).isEqualTo(0.1);
    Pace again = new Pace(stepsPerEpoch(4), 45 + 120, two.epochs(45 + 120));
    assertThat(again.epochs(45 + 120)).isEqualTo(3.5);
    LearningRateSchedule atFour = again.of(schedule);
    assertThat(atFour.factor(45 + 120 + 44)).isEqualTo(0.1);
    assertThat(atFour.factor(45 + 120 + 45)).isEqualTo(0.1 * 0.1);
  }

  /**
   * If steps are single workers' gradients, an epoch has the same number with any number of
   * workers.
   */
  @Example
  void aRunWhoseStepsAreOtherThingsThanBeforeHasTheRatesOfItsEpochs() {
    EpochSchedule schedule = new EpochSchedule(new Step(2, 0.5), 0, 10);
    Pace rounds = new Pace(30, 0, 0);
    Pace gradients = new Pace(120, 45, rounds.epochs(45));
    LearningRateSchedule rates = gradients.of(schedule);
    assertThat(rates.factor(45 + 59)).isEqualTo(1);
    assertThat(rates.factor(45 + 60)).isEqualTo(0.5);
  }

  @Example
  void cosineEndsWithTheLastEpoch() {
    EpochSchedule schedule = new EpochSchedule(new Cosine(0.01), 0.5, 10);
    for (int workers : new int[] {2, 4}) {
      LearningRateSchedule rates = begun(schedule, workers);
      long all = 10 * stepsPerEpoch(workers);
      assertThat(rates.factor(all - 1)).isGreaterThan(0.01);
      assertThat(rates.factor(all)).isEqualTo(0.01);
    }
    assertThat(schedule)
        .hasToString("warm-up over 0.5 epochs, then cosine to 0.01 until the end of epoch 10");
  }

  @Example
  void aModelThatWasTrainedBeforeBeginsItsScheduleAnew() {
    LearningRateSchedule rates =
        new Pace(30, 7000, 0).of(new EpochSchedule(new Step(1, 0.5), 0, 10));
    assertThat(rates.factor(7029)).isEqualTo(1);
    assertThat(rates.factor(7030)).isEqualTo(0.5);
  }

  @Example
  void aConstantRateIsOne_howeverFarTheRunIs() {
    EpochSchedule constant = new EpochSchedule(new Constant(), 0, 10);
    assertThat(constant.isConstant()).isTrue();
    assertThat(new Pace(30, 7000, 2.5).of(constant)).isEqualTo(LearningRateSchedule.CONSTANT);
    assertThat(new EpochSchedule(new Constant(), 1, 10).isConstant()).isFalse();
    assertThat(new EpochSchedule(new Constant(), 1, 10))
        .hasToString("warm-up over 1 epoch, then constant");
  }

  /** The schedule is the same to the bit, although a checkpoint rounds its number of epochs. */
  @Property(tries = 1000)
  void aRunThatGoesOnAsItWasHasTheSameSchedule(
      @ForAll @LongRange(min = 1, max = 1_000_000) long stepsPerEpoch,
      @ForAll @LongRange(max = 1_000_000_000_000L) long trainedBefore,
      @ForAll @LongRange(max = 1_000_000_000L) long steps) {
    EpochSchedule schedule = new EpochSchedule(new Cosine(0.01), 0.5, 10);
    Pace begun = new Pace(stepsPerEpoch, trainedBefore, 0);
    long step = trainedBefore + steps;
    Pace restored = new Pace(stepsPerEpoch, step, begun.epochs(step));
    assertThat(restored.of(schedule)).isEqualTo(begun.of(schedule));
    assertThat(restored.epochs(step)).isEqualTo(begun.epochs(step));
  }

  /** A change happens at most one step away from the beginning of its epoch. */
  @Property(tries = 1000)
  void aRunThatGoesOnWithOthersIsAtMostAStepOff(
      @ForAll @IntRange(min = 1, max = 10_000) int before,
      @ForAll @IntRange(min = 1, max = 10_000) int after,
      @ForAll @DoubleRange(min = 0, max = 5) double epochs) {
    long step = Math.round(epochs * before);
    double behind = new Pace(before, 0, 0).epochs(step);
    Pace pace = new Pace(after, step, behind);
    LearningRateSchedule rates = pace.of(new EpochSchedule(new Step(6, 0.5), 0, 10));
    double change = step + (6 - behind) * after;
    assertThat(rates.factor((long) Math.floor(change) - 1)).isEqualTo(1);
    assertThat(rates.factor((long) Math.ceil(change) + 1)).isEqualTo(0.5);
  }

  @Example
  void refusesWhatIsNoPace() {
    assertThatThrownBy(() -> new Pace(0, 0, 0)).hasMessageContaining("0 steps per epoch");
    assertThatThrownBy(() -> new Pace(1, 0, Double.NaN)).hasMessageContaining("epoch NaN");
  }
}
