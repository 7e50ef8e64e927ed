package dev.braid.bench.scale;

import dev.braid.chaos.sim.condition.Seeds;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * The regressions of CodedReduce's evaluation (§IV-A) on synthetic data, by gradient descent over
 * whole data sets. They show the error of a model after each round, with the gradients of all
 * workers or only of those that a round included.
 *
 * <p>Samples have standard normal features. Linear: y = x·θ* + z with standard normal θ* and noise,
 * and the normalised error ‖θ − θ*‖² / ‖θ*‖² (eq. 10, 11). Logistic: labels are random, with the
 * logistic function of x·θ* as their probability. The error is the relative one, ‖θ(t) − θ(t−1)‖² /
 * ‖θ(t−1)‖² (eq. 9); an L2 term keeps the optimum finite.
 */
final class RegressionRounds {

  /** The weight of the L2 term in logistic regression. */
  private static final float L2 = 1e-3f;

  /** Standard deviation of the labels' logits. */
  private static final double LOGIT_DEVIATION = 2;

  /** Greatest slope of the logistic function. */
  private static final double LOGISTIC_SLOPE = 0.25;

  private final boolean isLogistic;
  private final float[][] features;
  private final float[] targets;
  private final float[] truth;

  /**
   * Generates the data.
   *
   * @param samples d
   * @param parameters p
   */
  RegressionRounds(boolean isLogistic, int samples, int parameters, long seed) {
    this.isLogistic = isLogistic;
    this.features = new float[samples][parameters];
    this.targets = new float[samples];
    this.truth = new float[parameters];
    SplittableRandom random = Seeds.of(seed, samples, parameters);
    double deviation = isLogistic ? LOGIT_DEVIATION / Math.sqrt(parameters) : 1;
    for (int j = 0; j < parameters; j++) {
      truth[j] = (float) (deviation * random.nextGaussian());
    }
    for (int i = 0; i < samples; i++) {
      for (int j = 0; j < parameters; j++) {
        features[i][j] = (float) random.nextGaussian();
      }
      float product = product(features[i], truth);
      targets[i] =
          isLogistic
              ? (random.nextDouble() < logistic(product) ? 1 : 0)
              : product + (float) random.nextGaussian();
    }
  }

  /** The result of a descent: the error after each round, and the final loss. */
  record Descent(double[] errors, double loss) {

    double lastError() {
      return errors[errors.length - 1];
    }

    /**
     * Returns the number of rounds until the error is at most {@code error}; all rounds if it never
     * is.
     */
    int roundsTo(double error) {
      int round = 0;
      while (round < errors.length - 1 && !(errors[round] <= error)) {
        round++;
      }
      return round + 1;
    }
  }

  /** Descends with the gradients of all workers, in steps of constant length. */
  Descent descend(int rounds) {
    BitSet all = new BitSet();
    all.set(0);
    BitSet[] counted = new BitSet[rounds];
    Arrays.fill(counted, all);
    return descend(1, counted, Double.POSITIVE_INFINITY);
  }

  /**
   * Descends from zero, in steps that decrease from the reciprocal of the curvature as c / (t + c).
   *
   * @param workers number of workers, whose shares of the samples differ by at most one sample
   * @param counted by round, the workers whose gradients are included
   * @param patience c, in rounds; infinite for constant steps
   */
  Descent descend(int workers, BitSet[] counted, double patience) {
    float[] model = new float[truth.length];
    float[] gradient = new float[truth.length];
    double[] errors = new double[counted.length];
    double first = 1 / curvature();
    for (int round = 0; round < counted.length; round++) {
      int samples = gradient(model, workers, counted[round], gradient);
      double step = Double.isInfinite(patience) ? first : first * patience / (round + patience);
      double before = squares(model);
      double change = 0;
      for (int j = 0; j < model.length; j++) {
        float decay = isLogistic ? L2 * model[j] : 0;
        float by = (float) (step * (gradient[j] / samples + decay));
        model[j] -= by;
        change += (double) by * by;
      }
      errors[round] = isLogistic ? change / before : distance(model) / squares(truth);
    }
    return new Descent(errors, loss(model));
  }

  /**
   * Returns an estimate of the greatest eigenvalue of the loss's second derivative for this number
   * of random samples.
   */
  private double curvature() {
    double ofFeatures = Math.pow(1 + Math.sqrt((double) truth.length / targets.length), 2);
    return isLogistic ? LOGISTIC_SLOPE * ofFeatures + L2 : ofFeatures;
  }

  /**
   * Writes the sum of gradients over the samples of some workers; returns the number of these
   * samples.
   */
  private int gradient(float[] model, int workers, BitSet counted, float[] sum) {
    Arrays.fill(sum, 0);
    int samples = 0;
    for (int worker : counted.stream().toArray()) {
      int end = start(worker + 1, workers);
      for (int i = start(worker, workers); i < end; i++) {
        float output = product(features[i], model);
        float delta = (isLogistic ? (float) logistic(output) : output) - targets[i];
        float[] row = features[i];
        for (int j = 0; j < row.length; j++) {
          sum[j] += delta * row[j];
        }
        samples++;
      }
    }
    return samples;
  }

  private int start(int worker, int workers) {
    return (int) ((long) targets.length * worker / workers);
  }

  private double loss(float[] model) {
    double sum = 0;
    for (int i = 0; i < targets.length; i++) {
      double output = product(features[i], model);
      sum +=
          isLogistic
              ? Math.log1p(Math.exp(-Math.abs(output))) + Math.max(output, 0) - targets[i] * output
              : (output - targets[i]) * (output - targets[i]) / 2;
    }
    return sum / targets.length;
  }

  /** Computes the dot product in eight sums, to which the processor adds in parallel. */
  private static float product(float[] one, float[] other) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    float e = 0;
    float f = 0;
    float g = 0;
    float h = 0;
    int j = 0;
    for (; j + 7 < one.length; j += 8) {
      a += one[j] * other[j];
      b += one[j + 1] * other[j + 1];
      c += one[j + 2] * other[j + 2];
      d += one[j + 3] * other[j + 3];
      e += one[j + 4] * other[j + 4];
      f += one[j + 5] * other[j + 5];
      g += one[j + 6] * other[j + 6];
      h += one[j + 7] * other[j + 7];
    }
    for (; j < one.length; j++) {
      a += one[j] * other[j];
    }
    return a + b + (c + d) + (e + f + (g + h));
  }

  private static double logistic(double value) {
    return 1 / (1 + Math.exp(-value));
  }

  private static double squares(float[] values) {
    double sum = 0;
    for (float value : values) {
      sum += (double) value * value;
    }
    return sum;
  }

  private double distance(float[] model) {
    double sum = 0;
    for (int j = 0; j < model.length; j++) {
      double by = model[j] - truth[j];
      sum += by * by;
    }
    return sum;
  }
}
