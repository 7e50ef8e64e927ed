package dev.braid.job.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.run.report.reported.LossDrift;
import dev.braid.run.result.Evaluation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Drift of the loss of a model that learns from streams with known changes. */
class DriftingStreamTest {

  private static final double NOTABLE = Evaluation.NOTABLE_DRIFT;
  private static final int FEATURES = 3;
  private static final int BATCH = 20;
  private static final int WINDOW = 1_000;
  private static final int EVERY = 50_000;
  private static final int CHANGES = 6;

  /** Number of windows after a change in which a model may still be learning the new rule. */
  private static final int ADAPTING = 5;

  @Test
  void standsOutAtEachChangeOfSea_andNotInBetween() {
    List<Double> drifts = drifts("sea:noise=0", 0.3f);
    int perRule = EVERY / WINDOW;
    for (int window = 0; window < drifts.size(); window++) {
      int sinceChange = window % perRule;
      if (window >= perRule && sinceChange == 0) {
        assertThat(drifts.get(window)).as("window %d", window).isGreaterThan(NOTABLE);
      } else if (sinceChange >= ADAPTING && !drifts.get(window).isNaN()) {
        assertThat(drifts.get(window)).as("window %d", window).isLessThan(NOTABLE);
      }
    }
  }

  @Test
  void isNotNotableWhereNothingChanges() {
    assertThat(drifts("sea:every=100000000", 0.3f).stream().filter(it -> it >= NOTABLE)).isEmpty();
  }

  /** Returns the drift of each window while a logistic regression learns with plain SGD. */
  private static List<Double> drifts(String typed, float learningRate) {
    SyntheticStream stream = SyntheticStream.of(typed, 1);
    Shape shape = Shape.rows(FEATURES, 2);
    List<Double> drifts = new ArrayList<>();
    LossDrift drift = LossDrift.NONE;
    try (Learner learner = Learners.create(ModelSpec.untried("logistic", shape, 1), shape)) {
      float[] weights = new float[learner.length()];
      learner.initialWeights(weights);
      float[] gradient = new float[weights.length];
      for (int window = 0; window < (CHANGES + 1) * EVERY / WINDOW; window++) {
        double lossSum = 0;
        for (int round = 0; round < WINDOW / BATCH; round++) {
          lossSum += learner.gradient(weights, batch(stream), gradient);
          for (int i = 0; i < weights.length; i++) {
            weights[i] -= learningRate / BATCH * gradient[i];
          }
        }
        drifts.add(drift.of(lossSum / WINDOW));
        drift = drift.with(lossSum / WINDOW);
      }
    }
    return drifts;
  }

  private static Batch batch(SyntheticStream stream) {
    float[] features = new float[BATCH * FEATURES];
    int[] labels = new int[BATCH];
    for (int i = 0; i < BATCH; i++) {
      FedSample sample = stream.next();
      for (int j = 0; j < FEATURES; j++) {
        // Standardizes a number that is uniform from 0 to 10.
        features[i * FEATURES + j] = (sample.features()[j] - 5) / 2.887f;
      }
      labels[i] = (int) ((FedSample.NumberedClass) sample.label()).number();
    }
    return new Batch(0, labels.clone(), Features.dense(FEATURES, features), labels, false);
  }
}
