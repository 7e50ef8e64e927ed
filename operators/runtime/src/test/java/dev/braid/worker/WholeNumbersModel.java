package dev.braid.worker;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.Updater;
import dev.braid.worker.WorkerConfig.ModelSource;

/**
 * A model whose gradients and steps are whole numbers, so that their sums are exact in any order.
 */
record WholeNumbersModel(int length) implements ModelSource {

  private static final long serialVersionUID = 1L;

  @Override
  public Learner learner() {
    return new Learner() {
      @Override
      public int length() {
        return length;
      }

      @Override
      public void initialWeights(float[] weights) {
        for (int i = 0; i < length; i++) {
          weights[i] = i;
        }
      }

      @Override
      public double gradient(float[] weights, Batch batch, float[] gradient) {
        float[] features = batch.features().toArray();
        for (int i = 0; i < length; i++) {
          gradient[i] = features[i % features.length] + batch.size() * (weights[i] % 4);
        }
        return batch.size() + weights[0];
      }

      @Override
      public Score evaluate(float[] weights, Batch batch) {
        throw new AssertionError("nothing is evaluated here");
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public Updater updater(Pace pace) {
    return TestUpdaters.summing();
  }

  @Override
  public long stepsPerEpoch(int workers) {
    return 1;
  }

  @Override
  public float[][] initialUpdaterState(int length) {
    return new float[0][];
  }

  @Override
  public long initialSteps() {
    return 0;
  }
}
