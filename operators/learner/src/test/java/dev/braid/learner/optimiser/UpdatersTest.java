package dev.braid.learner.optimiser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.math.NativeMath;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.GradientUpdater;
import org.nd4j.linalg.learning.config.IUpdater;

class UpdatersTest {

  private static UpdaterSpec named(String name) {
    return UpdaterSpec.of(name, OptionalDouble.empty());
  }

  private static float[] random(int length, Random random) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  @ParameterizedTest
  @ValueSource(strings = {"sgd", "momentum", "adam", "amsgrad", "rmsprop"})
  void stepsAreThoseOfNd4j(String name) {
    NativeMath.useOneThread();
    int length = 1003;
    int samples = 32;
    Random random = new Random(11);
    UpdaterSpec spec = named(name);
    Updater updater = spec.create();
    float[] weights = random(length, random);
    float[][] state = new float[updater.stateVectors()][length];
    for (float[] vector : state) {
      Arrays.fill(vector, spec.initialState());
    }

    IUpdater theirs = spec.toDeeplearning4j();
    INDArray theirWeights = Nd4j.create(weights.clone());
    long stateSize = theirs.stateSize(length);
    INDArray theirState = stateSize == 0 ? null : Nd4j.zeros(1, stateSize);
    GradientUpdater<?> theirUpdater = theirs.instantiate(theirState, true);

    for (int step = 0; step < 50; step++) {
      float[] sum = random(length, random);
      updater.step(weights, state, 0, new Step(sum, samples, step));
      INDArray gradient = Nd4j.create(sum.clone()).divi(samples);
      theirUpdater.applyUpdater(gradient, step, 0);
      theirWeights.subi(gradient);
      for (int i = 0; i < length; i++) {
        float expected = theirWeights.getFloat(i);
        assertThat(weights[i])
            .as("%s, step %d", name, step)
            .isCloseTo(expected, within(2e-6f * Math.max(1, Math.abs(expected))));
      }
    }
    // The layout of the state is that of one updater block: vector after vector.
    for (int v = 0; v < state.length; v++) {
      for (int i = 0; i < length; i++) {
        assertThat(state[v][i])
            .isCloseTo(theirState.getFloat((long) v * length + i), within(1e-6f));
      }
    }
  }

  @Property(tries = 60)
  void rangeByRangeGivesTheSameBits(
      @ForAll @IntRange(min = 1, max = 5000) int length,
      @ForAll @IntRange(min = 1, max = 9) int parts,
      @ForAll long seed) {
    for (String name : UpdaterSpec.NAMES) {
      Random random = new Random(seed);
      Updater updater = named(name).create();
      float[] whole = random(length, random);
      float[] byParts = whole.clone();
      float[][] wholeState = new float[updater.stateVectors()][length];
      float[][] partState = new float[updater.stateVectors()][length];
      for (int step = 0; step < 3; step++) {
        float[] sum = random(length, random);
        Range all = Range.ofLength(length);
        updater.step(whole, wholeState, 0, new Step(sum, 7, step));
        for (int p = parts - 1; p >= 0; p--) {
          Range part = all.part(p, parts);
          updater.step(byParts, partState, 0, new Step(part, sum, 7, step));
        }
      }
      assertThat(byParts).isEqualTo(whole);
      assertThat(partState).isDeepEqualTo(wholeState);
    }
  }

  /** Steps follow the mean of the gradients: only their sum is known. */
  @Property(tries = 60)
  void manyStepsAtOnce_leadWhereTheyLeadOneByOne(
      @ForAll @IntRange(min = 1, max = 40) int gradients, @ForAll long seed) {
    for (String name : new String[] {"sgd", "momentum"}) {
      Random random = new Random(seed);
      Updater updater = named(name).create();
      Range all = Range.ofLength(50);
      float[] atOnce = random(50, random);
      float[] oneByOne = atOnce.clone();
      float[][] state = new float[updater.stateVectors()][];
      for (int i = 0; i < state.length; i++) {
        state[i] = random(50, random);
      }
      float[][] singleState = Arrays.stream(state).map(float[]::clone).toArray(float[][]::new);
      float[] sum = random(50, random);
      float[] mean = new float[50];
      for (int i = 0; i < 50; i++) {
        mean[i] = sum[i] / gradients;
      }
      updater.step(atOnce, state, 0, new Step(all, Slice.view(sum, all), 7, gradients, 0));
      for (int step = 0; step < gradients; step++) {
        updater.step(oneByOne, singleState, 0, new Step(mean, 7, step));
      }
      assertThat(atOnce).containsExactly(oneByOne, within(2e-5f));
      for (int i = 0; i < state.length; i++) {
        assertThat(state[i]).containsExactly(singleState[i], within(2e-5f));
      }
    }
  }

  @Test
  void namesWhatIsWrong() {
    assertThatThrownBy(() -> named("lion"))
        .hasMessage("updater lion: must be one of sgd, momentum, adam, amsgrad, rmsprop");
    assertThatThrownBy(() -> UpdaterSpec.of("sgd", OptionalDouble.of(-1)))
        .hasMessage("learning rate -1.0: must be a finite number above 0");
    Updater adam = named("adam").create();
    assertThatThrownBy(
            () -> adam.step(new float[3], new float[1][3], 0, new Step(new float[3], 1, 0)))
        .hasMessage("a step with 1 state vectors: must be 2");
    Slice two = Slice.view(new float[2], 0, 2);
    assertThatThrownBy(() -> new Step(Range.ofLength(3), two, 1, 1, 0))
        .hasMessageContaining("2 values for")
        .hasMessageContaining("must be 3");
  }
}
