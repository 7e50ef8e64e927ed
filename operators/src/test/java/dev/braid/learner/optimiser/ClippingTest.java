package dev.braid.learner.optimiser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.vector.Range;
import java.util.OptionalDouble;
import net.jqwik.api.Example;

class ClippingTest {

  private static final UpdaterSpec SGD = UpdaterSpec.of("sgd", OptionalDouble.of(1));
  private static final Range WHOLE = Range.ofLength(2);

  /**
   * Returns the change of one step of plain gradient descent with a rate of 1: minus the mean
   * gradient.
   */
  private static float[] stepped(Clipping clipping, int samples, int gradients, float... sum) {
    float[] weights = new float[sum.length];
    float[] before = sum.clone();
    Updater updater = clipping.around(SGD.create());
    Range range = Range.ofLength(sum.length);
    updater.steps(weights, new float[0][], range, sum, samples, gradients, 0);
    assertThat(sum).as("the exchange's").isEqualTo(before);
    return weights;
  }

  @Example
  void byNorm_aLongerMeanGradientKeepsItsDirection() {
    float[] weights = stepped(new Clipping.ByNorm(1), 10, 1, 30, 40);
    assertThat(weights[0]).isCloseTo(-0.6f, within(1e-6f));
    assertThat(weights[1]).isCloseTo(-0.8f, within(1e-6f));
  }

  @Example
  void byNorm_aShorterOneIsTakenAsItIs() {
    assertThat(stepped(new Clipping.ByNorm(5), 10, 1, 30, 40)).containsExactly(-3, -4);
    assertThat(stepped(Clipping.NONE, 10, 1, 30, 40)).containsExactly(-3, -4);
  }

  @Example
  void byNorm_isOfTheWholeVectorOnly() {
    Updater updater = new Clipping.ByNorm(1).around(SGD.create());
    assertThatThrownBy(
            () ->
                updater.step(
                    new float[4], new float[0][], new Range(1, 3), new float[] {1, 1, 1, 1}, 1, 0))
        .hasMessageContaining(new Range(1, 3) + " of 4 parameters");
  }

  @Example
  void byValue_eachElementOfTheMeanGradientIsHeld() {
    assertThat(stepped(new Clipping.ByValue(0.5, 0), 10, 1, 30, -2, -100))
        .containsExactly(-0.5f, 0.2f, 0.5f);
  }

  /**
   * Takes steps over 4 workers' full gradients of 10 samples: one worker's makes a quarter of a
   * step.
   */
  @Example
  void byValue_gradientsThatAreAppliedOneByOne_makeNoLongerStepTogether() {
    Clipping clipping = new Clipping.ByValue(0.5, 10);
    assertThat(stepped(clipping, 40, 1, 30, -1)).containsExactly(-0.125f, 0.025f);
    assertThat(stepped(clipping, 40, 2, 30, -1)).containsExactly(-0.25f, 0.025f);
  }

  @Example
  void whatAnotherVectorIsToHaveOfTheGradientIsNotClipped() {
    Updater updater = new Clipping.ByValue(0.5, 0).around(SGD.create());
    float[] total = new float[2];
    updater.stepAndAdd(new float[2], new float[0][], WHOLE, new float[] {30, -2}, 10, 0, total);
    assertThat(total).containsExactly(30, -2);
  }

  @Example
  void aGradientThatIsNoNumberIsNotHidden() {
    assertThat(stepped(new Clipping.ByNorm(1), 1, 1, Float.NaN, 1)).contains(Float.NaN);
    assertThat(stepped(new Clipping.ByValue(1, 0), 1, 1, Float.NaN, 1)).contains(Float.NaN);
  }

  @Example
  void refusesWhatIsNoLimit() {
    assertThatThrownBy(() -> new Clipping.ByNorm(0)).hasMessageContaining("clipping to 0.0");
    assertThatThrownBy(() -> new Clipping.ByValue(Double.NaN, 0)).hasMessageContaining("NaN");
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
