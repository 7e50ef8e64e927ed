package dev.braid.run.report;

import dev.braid.learner.Learner;
import dev.braid.learner.Samples;
import dev.braid.run.result.TestScore;
import dev.braid.worker.WorkerConfig;
import java.io.IOException;
import java.io.Serializable;
import java.util.stream.IntStream;

/**
 * Test set of a run whose epochs are compared on other samples; only the final models are scored on
 * it.
 *
 * @param model makes the model where the report runs
 * @param testSet opens the test set there
 */
public record ModelTest(WorkerConfig.ModelSource model, WorkerConfig.TestSet testSet)
    implements Serializable {

  private static final int BATCH = 500;

  /** Returns the scores of models on the whole test set, in their order. */
  TestScore[] scores(float[][] weights) throws IOException {
    Samples samples = testSet.open();
    try (Learner learner = model.learner()) {
      TestScore[] scores = new TestScore[weights.length];
      for (int i = 0; i < scores.length; i++) {
        scores[i] = TestScore.of(score(learner, weights[i], samples));
      }
      return scores;
    }
  }

  private static Learner.Score score(Learner learner, float[] weights, Samples samples) {
    Learner.Score score = Learner.Score.NONE;
    for (int first = 0; first < samples.size(); first += BATCH) {
      int[] ids = IntStream.range(first, Math.min(samples.size(), first + BATCH)).toArray();
      score = score.plus(learner.evaluate(weights, samples.batch(0, ids, false)));
    }
    return score;
  }
}
