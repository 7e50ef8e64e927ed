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

/** What learners compute of a batch, held against each other. */
final class LearnerComparison {

  private LearnerComparison() {}

  record Computed(double loss, float[] gradient, Learner.Score score) {}

  static Computed compute(Learner learner, float[] weights, Batch batch) {
    float[] gradient = new float[learner.length()];
    double loss = learner.gradient(weights, batch, gradient);
    return new Computed(loss, gradient, learner.evaluate(weights, batch));
  }

  private static void assertClose(Computed actual, Computed expected, double rounding) {
    assertThat(actual.loss).isCloseTo(expected.loss, within(1e-4 * Math.abs(expected.loss) + 1e-5));
    double largest = 0;
    double difference = 0;
    for (int i = 0; i < expected.gradient.length; i++) {
      largest = Math.max(largest, Math.abs(expected.gradient[i]));
      difference = Math.max(difference, Math.abs(actual.gradient[i] - expected.gradient[i]));
    }
    assertThat(difference).isLessThanOrEqualTo(rounding * largest + 1e-7);
    // Two classes may be as likely as each other, up to rounding.
    assertThat(actual.score.correct()).isCloseTo(expected.score.correct(), within(1L));
    assertThat(actual.score.lossSum())
        .isCloseTo(
            expected.score.lossSum(), within(1e-4 * Math.abs(expected.score.lossSum()) + 1e-5));
  }

  /** One of Braid's own learners and Deeplearning4j, with the same weights. */
  static void assertSame(
      Class<? extends Learner> own, ModelSpec spec, Shape shape, List<Batch> batches) {
    assertSame(own, spec, shape, batches, 1e-5);
  }

  /**
   * The same.
   *
   * @param rounding by how much of the largest gradient others may differ
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

        Computed theirs = compute(deep, order.toDeeplearning4j(weights), batch);
        assertClose(
            compute(fast, weights, batch),
            new Computed(theirs.loss, order.fromDeeplearning4j(theirs.gradient), theirs.score),
            rounding);
      }
    }
  }
}
