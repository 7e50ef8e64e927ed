package dev.braid.learner.optimiser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpdatePipelineTest {

  private static final int LENGTH = 6 * UpdatePipeline.BLOCK + 100;
  private static final int STEPS = 6;
  private static final long SAMPLES = 32;
  private static final Pace PACE = new Pace(10, 0, 0);

  /**
   * Returns an optimiser with everything between gradient and weights: decay, clipping, and running
   * statistics.
   */
  private static Optimiser optimiser(String name) {
    ParameterKinds parameters =
        new ParameterKinds(
            List.of(new Range(50, 70), new Range(LENGTH - 40, LENGTH - 10)),
            List.of(new ParameterKinds.Decay(new Range(100, LENGTH - 100), 0.01, true)));
    UpdaterSpec updater = UpdaterSpec.of(name, OptionalDouble.empty());
    return new Optimiser(updater, EpochSchedule.CONSTANT, new Clipping.ByValue(0.5), parameters, 0);
  }

  private static float[][] vectors(Updater updater, float initialState) {
    float[][] vectors = new float[1 + updater.stateVectors()][LENGTH];
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < LENGTH; i++) {
      vectors[0][i] = (float) random.nextGaussian();
    }
    for (int v = 1; v < vectors.length; v++) {
      Arrays.fill(vectors[v], initialState);
    }
    return vectors;
  }

  private static float[] gradient(int step) {
    SplittableRandom random = new SplittableRandom(100 + step);
    float[] gradient = new float[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      gradient[i] = (float) (SAMPLES * random.nextGaussian());
    }
    return gradient;
  }

  @ParameterizedTest
  @CsvSource({
    "sgd, 1", "momentum, 1", "adam, 1", "amsgrad, 1", "rmsprop, 1",
    "sgd, 3", "momentum, 3", "adam, 3", "amsgrad, 3", "rmsprop, 3"
  })
  void shardsMakeTheBitsOfTheWholeVector(String name, int gradients) {
    Optimiser optimiser = optimiser(name);
    Updater whole = optimiser.create(PACE);
    float[][] expected = vectors(whole, optimiser.updater().initialState());
    float[][] expectedState = Arrays.copyOfRange(expected, 1, expected.length);
    for (int step = 0; step < STEPS; step++) {
      whole.step(expected[0], expectedState, 0, step(Range.ofLength(LENGTH), gradients, step));
    }
    for (Range shard : List.of(new Range(0, 61), new Range(61, 4001), new Range(4001, LENGTH))) {
      Updater updater = optimiser.create(PACE);
      float[][] vectors = vectors(updater, optimiser.updater().initialState());
      float[][] state =
          Arrays.stream(vectors, 1, vectors.length)
              .map(vector -> Arrays.copyOfRange(vector, shard.start(), shard.end()))
              .toArray(float[][]::new);
      for (int step = 0; step < STEPS; step++) {
        // Chunks arrive in any order, and not at the bounds of blocks.
        for (int chunk = shard.chunks(999) - 1; chunk >= 0; chunk--) {
          Range range = shard.chunk(chunk, 999);
          updater.step(vectors[0], state, shard.start(), step(range, gradients, step));
        }
      }
      assertThat(part(vectors[0], shard)).isEqualTo(part(expected[0], shard));
      for (int v = 0; v < state.length; v++) {
        assertThat(state[v]).isEqualTo(part(expectedState[v], shard));
      }
    }
  }

  private static Step step(Range range, int gradients, int number) {
    return new Step(range, Slice.view(gradient(number), range), SAMPLES, gradients, number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sgd", "momentum", "adam", "amsgrad", "rmsprop"})
  void aCopyOfAPartHasTheBitsOfTheWholeState(String name) {
    Optimiser optimiser = optimiser(name);
    Updater whole = optimiser.create(PACE);
    float[][] expected = vectors(whole, optimiser.updater().initialState());
    float[][] expectedState = Arrays.copyOfRange(expected, 1, expected.length);
    for (int step = 0; step < STEPS; step++) {
      whole.step(expected[0], expectedState, 0, step(Range.ofLength(LENGTH), 1, step));
    }
    for (Range part : List.of(new Range(0, 61), new Range(61, 4001), new Range(4001, LENGTH))) {
      Updater updater = optimiser.create(PACE);
      float[][] vectors = vectors(updater, optimiser.updater().initialState());
      float[][] remembered =
          Arrays.stream(vectors, 1, vectors.length)
              .map(vector -> part(vector, part))
              .toArray(float[][]::new);
      for (int step = 0; step < STEPS; step++) {
        Slice sum = Slice.view(part(gradient(step), part), 0, part.length());
        updater.remember(remembered, part.start(), new Step(part, sum, SAMPLES, 1, step));
      }
      for (int v = 0; v < remembered.length; v++) {
        assertThat(remembered[v])
            .as("%s, vector %d", part, v)
            .isEqualTo(part(expectedState[v], part));
      }
    }
  }

  private static float[] part(float[] vector, Range range) {
    return Arrays.copyOfRange(vector, range.start(), range.end());
  }

  @Test
  void aStepElsewhereIsRefused() {
    Updater updater = optimiser("adam").create(PACE);
    float[][] state = new float[2][10];
    assertThatThrownBy(
            () -> updater.step(new float[LENGTH], state, 10, step(new Range(15, 25), 1, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be within " + new Range(10, 20));
  }
}
