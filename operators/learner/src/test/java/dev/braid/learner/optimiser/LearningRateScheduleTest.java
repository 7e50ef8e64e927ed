package dev.braid.learner.optimiser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.optimiser.LearningRateSchedule.After;
import dev.braid.learner.optimiser.LearningRateSchedule.Cosine;
import dev.braid.learner.optimiser.LearningRateSchedule.Stepwise;
import dev.braid.learner.optimiser.LearningRateSchedule.WarmUp;
import java.util.OptionalDouble;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class LearningRateScheduleTest {

  @Example
  void stepwise_isMultipliedEverySoManySteps() {
    LearningRateSchedule schedule = new Stepwise(10, 0.5);
    assertThat(schedule.factor(0)).isEqualTo(1);
    assertThat(schedule.factor(9)).isEqualTo(1);
    assertThat(schedule.factor(10)).isEqualTo(0.5);
    assertThat(schedule.factor(35)).isEqualTo(0.125);
  }

  @Example
  void cosine_endsWhereItIsToAndStaysThere() {
    LearningRateSchedule schedule = new Cosine(100, 0.2);
    assertThat(schedule.factor(0)).isEqualTo(1);
    assertThat(schedule.factor(50)).isCloseTo(0.6, within(1e-12));
    assertThat(schedule.factor(100)).isCloseTo(0.2, within(1e-12));
    assertThat(schedule.factor(1000)).isCloseTo(0.2, within(1e-12));
  }

  @Example
  void warmUp_goesUpInEqualParts_andThenTheScheduleBegins() {
    LearningRateSchedule schedule = new WarmUp(4, new Stepwise(10, 0.5));
    assertThat(schedule.factor(0)).isEqualTo(0.25);
    assertThat(schedule.factor(3)).isEqualTo(1);
    assertThat(schedule.factor(13)).isEqualTo(1);
    assertThat(schedule.factor(14)).isEqualTo(0.5);
  }

  @Example
  void aModelThatWasTrainedBeforeBeginsItsScheduleAnew() {
    LearningRateSchedule schedule = new After(7000, new Stepwise(10, 0.5));
    assertThat(schedule.factor(7009)).isEqualTo(1);
    assertThat(schedule.factor(7010)).isEqualTo(0.5);
  }

  @Example
  void aScheduleMayBeFurtherThanTheStepsTell() {
    LearningRateSchedule schedule = new After(-7, new Stepwise(10, 0.5));
    assertThat(schedule.factor(2)).isEqualTo(1);
    assertThat(schedule.factor(3)).isEqualTo(0.5);
  }

  @Example
  void refusesWhatIsNoSchedule() {
    assertThatThrownBy(() -> new Stepwise(0, 0.5)).hasMessageContaining("0 steps");
    assertThatThrownBy(() -> new Stepwise(1, 0)).hasMessageContaining("factor 0.0");
    assertThatThrownBy(() -> new Cosine(1, 1.5)).hasMessageContaining("end 1.5");
  }

  /** A run that is restored in the middle has only weights, state and the number of the step. */
  @Property(tries = 30)
  void optimisersWithASchedule_goOnFromAnyStepToTheSameBits(
      @ForAll @IntRange(max = 20) int restoredAt, @ForAll long seed) {
    LearningRateSchedule schedule = new WarmUp(5, new Cosine(15, 0.01));
    for (String name : new String[] {"sgd", "momentum", "adam"}) {
      UpdaterSpec spec = UpdaterSpec.of(name, OptionalDouble.of(0.1));
      Updater updater = spec.create(schedule);
      Random random = new Random(seed);
      float[] weights = new float[50];
      float[][] state = new float[updater.stateVectors()][50];
      float[] restored = {};
      float[][] restoredState = {};
      Updater restoredUpdater = spec.create(schedule);
      for (int step = 0; step < 20; step++) {
        float[] gradient = new float[50];
        for (int i = 0; i < gradient.length; i++) {
          gradient[i] = (float) random.nextGaussian();
        }
        if (step == restoredAt) {
          restored = weights.clone();
          restoredState = new float[state.length][];
          for (int v = 0; v < state.length; v++) {
            restoredState[v] = state[v].clone();
          }
        }
        updater.step(weights, state, 0, new Step(gradient, 3, step));
        if (step >= restoredAt) {
          restoredUpdater.step(restored, restoredState, 0, new Step(gradient, 3, step));
          assertThat(restored).isEqualTo(weights);
        }
      }
    }
  }

  @Example
  void theRateOfAStepIsTheScheduledOne() {
    for (String name : new String[] {"sgd", "momentum", "adam"}) {
      float[] full = {1};
      float[] half = {1};
      float[] sum = {3};
      UpdaterSpec spec = UpdaterSpec.of(name, OptionalDouble.of(0.25));
      Updater updater = spec.create(new Stepwise(1, 0.5));
      Updater halved = spec.withLearningRate(0.125).create();
      Step step = new Step(sum, 2, 1);
      updater.step(full, new float[updater.stateVectors()][1], 0, step);
      halved.step(half, new float[updater.stateVectors()][1], 0, step);
      assertThat(full).isEqualTo(half).isNotEqualTo(new float[] {1});
      full = new float[] {1};
      half = new float[] {1};
      Step steps = new Step(step.range(), step.sum(), 2, 4, 1);
      updater.step(full, new float[updater.stateVectors()][1], 0, steps);
      halved.step(half, new float[updater.stateVectors()][1], 0, steps);
      assertThat(full).isEqualTo(half);
    }
  }
}
