package dev.braid.learner.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartwiseLearnerTest {

  private static final Shape DIGITS = new Shape(1, 28, 28, 10);
  private static final int SAMPLES = 23;
  private static final int PART = 5;

  /** The learner asks before each part whether the rest is wanted, and stops when it is not. */
  @ParameterizedTest
  @CsvSource({"0, 0", "1, 5", "3, 15", "4, 20", "5, 23", "9, 23"})
  void itLeavesOffBetweenTwoParts(int wantedTimes, int computed) {
    Batch batch = TestModels.batch(DIGITS, SAMPLES, 1);
    try (Learner learner = Learners.create(Models.of("logistic", DIGITS, 1), DIGITS)) {
      Learner partwise = new PartwiseLearner(learner, PART);
      float[] weights = TestModels.initial(learner);
      AtomicInteger asked = new AtomicInteger();
      Learner.Computed result =
          partwise.gradientWhile(
              () -> asked.incrementAndGet() <= wantedTimes,
              weights,
              batch,
              new float[weights.length]);
      assertThat(result.samples()).isEqualTo(computed);
      assertThat(asked).hasValue(Math.min(wantedTimes + 1, 5));
      if (computed > 0) {
        float[] ofThese = new float[weights.length];
        assertThat(result.lossSum())
            .isEqualTo(partwise.gradient(weights, batch.part(0, computed), ofThese));
      }
    }
  }

  /** The result is the same after a cancelled gradient. */
  @Test
  void whatIsWantedToTheEndHasTheSameBits() {
    Batch batch = TestModels.batch(DIGITS, SAMPLES, 1);
    try (Learner learner = Learners.create(Models.of("logistic", DIGITS, 1), DIGITS)) {
      Learner partwise = new PartwiseLearner(learner, PART);
      float[] weights = TestModels.initial(learner);
      float[] expected = new float[weights.length];
      double loss = partwise.gradient(weights, batch, expected);
      float[] gradient = new float[weights.length];
      AtomicInteger asked = new AtomicInteger();
      partwise.gradientWhile(() -> asked.incrementAndGet() < 3, weights, batch, gradient);
      assertThat(partwise.gradientWhile(() -> true, weights, batch, gradient))
          .isEqualTo(new Learner.Computed(SAMPLES, loss));
      assertThat(gradient).isEqualTo(expected);
    }
  }
}
