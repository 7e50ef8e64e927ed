package dev.braid.learner.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.structure.ParameterOrder;
import java.util.List;
import java.util.Random;

/** Compares the results of learners for a batch. */
final class LearnerComparison {

  private LearnerComparison() {}

  record Computed(double loss, float[] gradient, Learner.Score score) {}

  static Computed compute(Learner learner, float[] weights, Batch batch) {
    float[] gradient = new float[learner.length()];
    double loss = learner.gradient(weights, batch, gradient);
    return new Computed(loss, gradient, learner.evaluate(weights, batch));
  }

  private static double largestDifference(Computed actual, Computed expected) {
    double difference = 0;
    for (int i = 0; i < expected.gradient.length; i++) {
      difference = Math.max(difference, Math.abs(actual.gradient[i] - expected.gradient[i]));
    }
    return difference;
  }

  private static double bound(Computed expected, double rounding) {
    double largest = 0;
    for (float value : expected.gradient) {
      largest = Math.max(largest, Math.abs(value));
    }
    return rounding * largest + 1e-7;
  }

  private static void assertClose(Computed actual, Computed expected, double rounding) {
    assertThat(largestDifference(actual, expected)).isLessThanOrEqualTo(bound(expected, rounding));
    assertThat(actual.loss).isCloseTo(expected.loss, within(1e-4 * Math.abs(expected.loss) + 1e-5));
    // Two classes may be equally likely, up to rounding.
    assertThat(actual.score.correct()).isCloseTo(expected.score.correct(), within(1L));
    assertThat(actual.score.lossSum())
        .isCloseTo(
            expected.score.lossSum(), within(1e-4 * Math.abs(expected.score.lossSum()) + 1e-5));
  }

  /** Compares one of Braid's own learners with Deeplearning4j, with the same weights. */
  static void assertSame(
      Class<? extends Learner> own, ModelSpec spec, Shape shape, List<Batch> batches) {
    assertSame(own, spec, shape, batches, 1e-5);
  }

  /**
   * Compares one of Braid's own learners with Deeplearning4j, with the same weights.
   *
   * @param rounding tolerance, as a share of the largest gradient
   */
  static void assertSame(
      Class<? extends Learner> own,
      ModelSpec spec,
      Shape shape,
      List<Batch> batches,
      double rounding) {
    ParameterOrder order = ParameterOrder.of(spec.parsed());
    try (Learner fast = Learners.create(spec, shape);
        Learner deep = Learners.deep(spec, shape)) {
      assertThat(fast).isInstanceOf(own).isNotInstanceOf(DeepLearner.class);

      assertThat(deep).isInstanceOf(DeepLearner.class);
      float[] weights = TestModels.initial(fast);
      assertThat(TestModels.initial(deep)).isEqualTo(weights);
      for (Batch batch : batches) {
        assertSame(fast, deep, order, weights, batch, rounding);
      }
    }
  }

  /**
   * Compares a batch; if the results differ, compares again with other weights. If the largest two
   * values of a window, or a sum and 0, are equal up to rounding, rounding decides where the
   * gradient goes, and kernels of different processors decide differently. It does not do so with
   * other weights, too. The other weights are larger by an addend: multiplied by a factor, a bias
   * of 0 would stay 0, and a sum over dropped inputs with it.
   */
  private static void assertSame(
      Learner fast,
      Learner deep,
      ParameterOrder order,
      float[] weights,
      Batch batch,
      double rounding) {
    Computed actual = compute(fast, weights, batch);
    Computed expected = theirs(deep, order, weights, batch);
    if (largestDifference(actual, expected) > bound(expected, rounding)) {
      Random random = new Random(weights.length);
      float[] others = weights.clone();
      for (int i = 0; i < others.length; i++) {
        others[i] += 0.02f * random.nextFloat();
      }
      actual = compute(fast, others, batch);
      expected = theirs(deep, order, others, batch);
    }
    assertClose(actual, expected, rounding);
  }

  private static Computed theirs(Learner deep, ParameterOrder order, float[] weights, Batch batch) {
    Computed computed = compute(deep, order.toDeeplearning4j(weights), batch);
    return new Computed(computed.loss, order.fromDeeplearning4j(computed.gradient), computed.score);
  }
}
