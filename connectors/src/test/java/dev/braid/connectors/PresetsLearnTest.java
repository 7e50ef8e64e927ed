package dev.braid.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.Samples;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.Models;
import dev.braid.learner.optimiser.Step;
import dev.braid.learner.optimiser.Updater;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Presets with their own optimisers, on a small part of MNIST. A synchronous round of n workers
 * makes the same step as one worker with n times the batch.
 */
@Execution(ExecutionMode.CONCURRENT)
class PresetsLearnTest {

  private static final int TEST_SAMPLES = 200;

  @ParameterizedTest
  @CsvSource({
    "logistic,  1, 100, 6000, 1, 0.80",
    "logistic, 16,  20, 6400, 1, 0.75",
    "mlp,       1, 100, 3000, 1, 0.80",
    "mlp,      16,  20, 6400, 1, 0.75",
    // With a rate of 0.1 the accuracy stays at 0.13.
    "cnn,       1,  20, 1000, 1, 0.60",
    "cnn,      16,   4, 1600, 1, 0.50",
    "cnn-cifar, 1,  20,  800, 1, 0.60",
    "cnn-cifar,16,   4, 1280, 1, 0.50",
  })
  void learns(String preset, int workers, int batch, int samples, int epochs, double accuracy) {
    DataLocation mnist = DataLocation.of(DataLocation.MNIST);
    Samples train = mnist.openTrain();
    ModelSpec model = Models.of(preset, train.shape(), 1);
    Updater updater = model.updater().create();
    try (Learner learner = Learners.create(model, train.shape())) {
      float[] weights = new float[learner.length()];
      learner.initialWeights(weights);
      float[][] state = model.initialState(model.updater(), weights.length);
      int round = workers * batch;
      for (int step = 0; step < samples * epochs / round; step++) {
        int first = step * round % samples;
        float[] sum = sum(learner, weights, train, Range.ofLength(round), first, batch);
        updater.step(weights, state, 0, new Step(sum, round, step));
      }
      int[] ids = IntStream.range(0, TEST_SAMPLES).toArray();
      assertThat(learner.evaluate(weights, mnist.openTest().batch(0, ids, false)).accuracy())
          .isGreaterThan(accuracy);
    }
  }

  private static float[] sum(
      Learner learner, float[] weights, Samples train, Range round, int first, int batch) {
    float[] sum = new float[weights.length];
    float[] gradient = new float[weights.length];
    for (int i = 0; i < round.chunks(batch); i++) {
      Range part = round.chunk(i, batch);
      int[] ids = IntStream.range(first + part.start(), first + part.end()).toArray();
      Batch of = train.batch(0, ids, false);
      Arrays.fill(gradient, 0);
      learner.gradient(weights, of, gradient);
      Vectors.add(sum, gradient, Range.ofLength(sum.length));
    }
    return sum;
  }
}
