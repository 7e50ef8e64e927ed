package dev.braid.job;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.Step;
import dev.braid.learner.optimiser.Updater;
import dev.braid.vector.Slice;
import dev.braid.worker.WorkerConfig.ModelSource;
import java.util.Arrays;

/** Softmax regression in plain Java: a real model that needs no native library. */
record SoftmaxModel(int features, int classes, float learningRate) implements ModelSource {

  private static final long serialVersionUID = 1L;

  @Override
  public Learner learner() {
    return new SoftmaxLearner();
  }

  @Override
  public Updater updater(Pace pace) {
    return new Descent(learningRate);
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

  private record Descent(float learningRate) implements Updater {
    @Override
    public int stateVectors() {
      return 0;
    }

    @Override
    public void step(float[] weights, float[][] state, int offset, Step step) {
      Slice sum = step.sum();
      float rate = learningRate / step.samples();
      for (int i = 0; i < sum.length(); i++) {
        weights[step.range().start() + i] -= rate * sum.array()[sum.offset() + i];
      }
    }
  }

  private final class SoftmaxLearner implements Learner {

    private final float[] probabilities = new float[classes];

    @Override
    public int length() {
      return features * classes;
    }

    @Override
    public void initialWeights(float[] weights) {
      Arrays.fill(weights, 0);
    }

    @Override
    public double gradient(float[] weights, Batch batch, float[] gradient) {
      Arrays.fill(gradient, 0);
      float[] all = batch.features().toArray();
      double loss = 0;
      for (int s = 0; s < batch.size(); s++) {
        predict(weights, all, s);
        loss -= Math.log(probabilities[batch.labels()[s]]);
        probabilities[batch.labels()[s]] -= 1;
        int row = s;
        float times = batch.combination().map(it -> it.coefficients()[row]).orElse(1f);
        for (int f = 0; f < features; f++) {
          float x = times * all[s * features + f];
          for (int c = 0; c < classes; c++) {
            gradient[f * classes + c] += x * probabilities[c];
          }
        }
      }
      return loss;
    }

    @Override
    public Score evaluate(float[] weights, Batch batch) {
      float[] all = batch.features().toArray();
      long correct = 0;
      double loss = 0;
      for (int s = 0; s < batch.size(); s++) {
        predict(weights, all, s);
        loss -= Math.log(probabilities[batch.labels()[s]]);
        int best = 0;
        for (int c = 1; c < classes; c++) {
          best = probabilities[c] > probabilities[best] ? c : best;
        }
        correct += best == batch.labels()[s] ? 1 : 0;
      }
      return new Score(batch.size(), correct, loss);
    }

    private void predict(float[] weights, float[] all, int sample) {
      double sum = 0;
      for (int c = 0; c < classes; c++) {
        float z = 0;
        for (int f = 0; f < features; f++) {
          z += weights[f * classes + c] * all[sample * features + f];
        }
        probabilities[c] = (float) Math.exp(z);
        sum += probabilities[c];
      }
      for (int c = 0; c < classes; c++) {
        probabilities[c] /= (float) sum;
      }
    }

    @Override
    public void close() {}
  }
}
