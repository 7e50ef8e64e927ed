package dev.braid.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Update.GradientSum;
import dev.braid.exchange.Update.Replacement;
import dev.braid.learner.optimiser.Clipping;
import dev.braid.learner.optimiser.EpochSchedule;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.ParameterKinds;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests a model's count of its steps, which determines the schedule's learning rate. */
class ModelStepsTest {

  private final Model model = new Model(TestUpdaters.summing(), new float[10], new float[0][], 7);

  private static GradientSum over(int start, int end) {
    return new GradientSum(new Range(start, end), Slice.view(new float[10], start, end - start), 1);
  }

  @Test
  void aStepOverTheWholeVectorIsOne() {
    model.apply(over(0, 10));
    model.apply(over(0, 10));
    assertThat(model.steps()).isEqualTo(9);
  }

  /** Uses chunks of 4, 4 and 2 elements from two workers, one of which is ahead. */
  @Test
  void aServerCountsGradientsWhosePartsComeMixed() {
    model.serve(Range.ofLength(10));
    for (int gradient = 0; gradient < 5; gradient++) {
      model.apply(over(0, 4));
      model.apply(over(4, 8));
      model.apply(over(0, 4));
      model.apply(over(8, 10));
      model.apply(over(4, 8));
      model.apply(over(8, 10));
    }
    assertThat(model.steps()).isEqualTo(7 + 10);
  }

  @Test
  void whereOthersGradientsAreAppliedBesides_aRankCountsItsOwn() {
    model.countOwnSteps();
    model.apply(over(0, 10));
    model.apply(over(0, 4));
    model.ownStep();
    assertThat(model.steps()).isEqualTo(8);
    assertThat(model.after(List.of(over(0, 10))).steps()).isEqualTo(8);
  }

  private static float[] ramp(int length) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = 1 + i;
    }
    return values;
  }

  private static Model withMomentum() {
    Optimiser optimiser =
        new Optimiser(
            new UpdaterSpec.Momentum(0.5, 0.5),
            EpochSchedule.CONSTANT,
            Clipping.NONE,
            ParameterKinds.ALIKE,
            0);
    return new Model(optimiser.create(new Pace(10, 0, 0)), ramp(10), new float[][] {ramp(10)}, 7);
  }

  /** The model has the state of the served part only, and all weights. */
  @Test
  void aServerKeepsTheStateOfItsPart() {
    Model served = withMomentum();
    Model whole = withMomentum();
    Range part = new Range(3, 8);
    served.serve(part);
    assertThat(served.part(1, part).toArray()).containsExactly(4, 5, 6, 7, 8);
    assertThat(served.part(1, new Range(5, 7)).toArray()).containsExactly(6, 7);
    assertThat(served.part(0, part).toArray()).containsExactly(4, 5, 6, 7, 8);

    Model copied = served.copy();
    for (Model model : List.of(served, copied)) {
      GradientSum sum = new GradientSum(part, Slice.view(ramp(5), 0, 5), 1);
      model.apply(sum);
      assertThat(model.steps()).isEqualTo(8);
      assertThat(model.vectors()[1]).hasSize(5);
    }
    whole.apply(new GradientSum(part, Slice.view(ramp(5), 0, 5), 1));
    for (int vector = 0; vector < 2; vector++) {
      float[] expected = whole.part(vector, part).toArray();
      assertThat(served.part(vector, part).toArray()).containsExactly(expected);
      assertThat(copied.part(vector, part).toArray()).containsExactly(expected);
    }
    assertThat(served.weights()).containsExactly(whole.weights());
  }

  /** Includes a part that this model does not serve. */
  @Test
  void copiesOfThePartOfAStateChangeAsTheStateDoes() {
    Model served = withMomentum();
    Model whole = withMomentum();
    Range part = new Range(3, 8);
    float[][] copy = {whole.part(1, part).toArray()};
    served.serve(new Range(0, 2));
    float[] sum = {3, 1, 4, 1, 5};
    served.remembering(part).remember(copy, sum, 2, 7);
    whole.apply(new GradientSum(part, Slice.view(sum, 0, 5), 2));
    assertThat(copy[0]).containsExactly(whole.part(1, part).toArray());
    assertThat(served.steps()).isEqualTo(7);
  }

  /** The copy counts its own steps, and begins within the step in progress. */
  @Test
  void aCopyOfAServerGoesOnWithinItsStep() {
    model.serve(new Range(4, 10));
    model.apply(over(4, 8));
    Model copied = model.copy();
    copied.apply(over(8, 10));
    assertThat(copied.steps()).isEqualTo(8);
    assertThat(model.steps()).isEqualTo(7);
    model.apply(over(8, 10));
    assertThat(model.steps()).isEqualTo(8);
  }

  @Test
  void whoServesNothingKeepsNoState_andTakesWeights() {
    Model served = withMomentum();
    served.serve(Range.EMPTY);
    assertThat(served.part(1, Range.EMPTY).length()).isZero();
    assertThat(served.vectorCount()).isEqualTo(2);
    for (Model model : List.of(served, served.copy())) {
      model.apply(new Replacement(0, new Range(2, 4), Slice.view(new float[] {8, 9}, 0, 2)));
      assertThat(model.weights()).containsExactly(1, 2, 8, 9, 5, 6, 7, 8, 9, 10);
      assertThat(model.vectors()[1]).isEmpty();
      assertThat(model.steps()).isEqualTo(7);
    }
  }
}
