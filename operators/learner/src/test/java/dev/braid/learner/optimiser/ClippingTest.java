package dev.braid.learner.optimiser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.OptionalDouble;
import net.jqwik.api.Example;

class ClippingTest {

  private static final UpdaterSpec SGD = UpdaterSpec.of("sgd", OptionalDouble.of(1));

  /**
   * Returns the change of one step of plain gradient descent with a rate of 1: minus the mean
   * gradient.
   */
  private static float[] stepped(Clipping clipping, int samples, float... sum) {
    return change(clipping, 0, samples, 1, sum);
  }

  private static float[] change(
      Clipping clipping, int batch, int samples, int gradients, float... sum) {
    float[] weights = new float[sum.length];
    float[] before = sum.clone();
    Range range = Range.ofLength(sum.length);
    Step step = new Step(range, Slice.view(sum, range), samples, gradients, 0);
    updater(clipping, batch).step(weights, new float[0][], 0, step);
    assertThat(sum).as("the exchange's").isEqualTo(before);
    return weights;
  }

  private static Updater updater(Clipping clipping, int batch) {
    return new Optimiser(SGD, EpochSchedule.CONSTANT, clipping, ParameterKinds.ALIKE, batch)
        .create(Pace.STEPS);
  }

  @Example
  void byNorm_aLongerMeanGradientKeepsItsDirection() {
    float[] weights = stepped(new Clipping.ByNorm(1), 10, 30, 40);
    assertThat(weights[0]).isCloseTo(-0.6f, within(1e-6f));
    assertThat(weights[1]).isCloseTo(-0.8f, within(1e-6f));
  }

  @Example
  void byNorm_aShorterOneIsTakenAsItIs() {
    assertThat(stepped(new Clipping.ByNorm(5), 10, 30, 40)).containsExactly(-3, -4);
    assertThat(stepped(Clipping.NONE, 10, 30, 40)).containsExactly(-3, -4);
  }

  @Example
  void byNorm_isOfTheWholeVectorOnly() {
    Updater updater = updater(new Clipping.ByNorm(1), 0);
    Step part = new Step(new Range(1, 3), new float[] {1, 1, 1, 1}, 1, 0);
    assertThatThrownBy(() -> updater.step(new float[4], new float[0][], 0, part))
        .hasMessageContaining(new Range(1, 3) + " of 4 parameters");
    assertThatThrownBy(() -> updater.remember(new float[0][], 0, part))
        .hasMessageContaining(new Range(1, 3) + ": clipping by norm needs the whole gradient");
  }

  @Example
  void byValue_eachElementOfTheMeanGradientIsHeld() {
    assertThat(stepped(new Clipping.ByValue(0.5), 10, 30, -2, -100))
        .containsExactly(-0.5f, 0.2f, 0.5f);
  }

  /**
   * Takes steps over 4 workers' full gradients of 10 samples: one worker's makes a quarter of a
   * step.
   */
  @Example
  void byValue_gradientsThatAreAppliedOneByOne_makeNoLongerStepTogether() {
    Clipping clipping = new Clipping.ByValue(0.5);
    assertThat(change(clipping, 10, 40, 1, 30, -1)).containsExactly(-0.125f, 0.025f);
    assertThat(change(clipping, 10, 40, 2, 30, -1)).containsExactly(-0.25f, 0.025f);
  }

  @Example
  void aGradientThatIsNoNumberIsNotHidden() {
    assertThat(stepped(new Clipping.ByNorm(1), 1, Float.NaN, 1)).contains(Float.NaN);
    assertThat(stepped(new Clipping.ByValue(1), 1, Float.NaN, 1)).contains(Float.NaN);
  }

  @Example
  void refusesWhatIsNoLimit() {
    assertThatThrownBy(() -> new Clipping.ByNorm(0)).hasMessageContaining("clipping to 0.0");
    assertThatThrownBy(() -> new Clipping.ByValue(Double.NaN)).hasMessageContaining("NaN");
  }

  @Example
  void anOptimiserSaysWhatItIs() {
    assertThat(Optimiser.of(UpdaterSpec.of("momentum", OptionalDouble.of(0.1))).describe())
        .isEqualTo("momentum 0.9, learning rate 0.1");
    assertThat(
            new Optimiser(
                    UpdaterSpec.of("adam", OptionalDouble.of(0.0001)),
                    new EpochSchedule(new EpochSchedule.Cosine(0), 0, 5),
                    new Clipping.ByNorm(1),
                    ParameterKinds.ALIKE,
                    0)
                .describe())
        .isEqualTo(
            "adam, learning rate 0.0001, cosine to 0 until the end of epoch 5, gradients clipped to"
                + " norm 1");
  }
}
