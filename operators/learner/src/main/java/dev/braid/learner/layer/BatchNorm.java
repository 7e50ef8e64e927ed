package dev.braid.learner.layer;

import dev.braid.learner.structure.ImageShape;
import java.util.Arrays;

/**
 * Batch normalisation (Ioffe and Szegedy, 2015). In training, each channel is normalised to mean 0
 * and variance 1 over the samples and pixels of a worker's own batch; otherwise, with the running
 * mean and variance. Then it is scaled and shifted by learnt parameters.
 *
 * <p>The running statistics are parameters of the model, as in Deeplearning4j. Their "gradient" is
 * the change to subtract from them: {@code (1 - decay) (running - batch's)}, times the number of
 * samples, so that the mean over all workers' samples is the mean of their batches' statistics.
 * Replicas therefore agree on the statistics, and checkpoints contain them.
 */
final class BatchNorm implements ImageLayer {

  /**
   * Settings, with Deeplearning4j's meaning.
   *
   * @param gamma the scale, and {@code beta} the shift, if they are not learnt
   * @param hasLogDeviation whether the running spread is the base-10 logarithm of the standard
   *     deviation instead of the variance
   * @param start index of the first parameter: scales and shifts if they are learnt, means,
   *     variances
   */
  record Settings(
      boolean learns,
      float gamma,
      float beta,
      double decay,
      double epsilon,
      boolean hasLogDeviation,
      int start) {}

  private final ImageShape shape;
  private final Settings settings;
  private final int channels;

  private final float[] gamma;
  private final float[] beta;
  private final float[] runningMean;
  private final float[] runningVariance;

  /** The spread in the parameter's form: the variance, or the logarithm of the deviation. */
  private final float[] runningSpread;

  private final double[] mean;
  private final double[] variance;
  private final double[] sums;
  private final double[] products;

  /** Factor of each channel, and the summand that is added to the product. */
  private final float[] scale;

  private final float[] shift;

  BatchNorm(ImageShape shape, Settings settings) {
    this.shape = shape;
    this.settings = settings;
    this.channels = shape.channels();
    this.gamma = new float[channels];
    this.beta = new float[channels];
    Arrays.fill(gamma, settings.gamma());
    Arrays.fill(beta, settings.beta());
    this.runningMean = new float[channels];
    this.runningVariance = new float[channels];
    this.runningSpread = new float[channels];
    this.mean = new double[channels];
    this.variance = new double[channels];
    this.sums = new double[channels];
    this.products = new double[channels];
    this.scale = new float[channels];
    this.shift = new float[channels];
  }

  @Override
  public ImageShape output() {
    return shape;
  }

  @Override
  public void takeWeights(float[] weights) {
    if (settings.learns()) {
      System.arraycopy(weights, settings.start(), gamma, 0, channels);
      System.arraycopy(weights, settings.start() + channels, beta, 0, channels);
    }
    System.arraycopy(weights, statistics(), runningMean, 0, channels);
    System.arraycopy(weights, statistics() + channels, runningSpread, 0, channels);
    for (int c = 0; c < channels; c++) {
      runningVariance[c] =
          settings.hasLogDeviation()
              ? (float) StrictMath.pow(10, 2 * (double) runningSpread[c])
              : runningSpread[c];
    }
  }

  private int statistics() {
    return settings.start() + (settings.learns() ? 2 * channels : 0);
  }

  @Override
  public void forward(Pass pass, float[] input, float[] output) {
    int pixels = pass.samples() * shape.height() * shape.width();
    if (pass.training()) {
      measure(input, pixels);
    } else {
      for (int c = 0; c < channels; c++) {
        mean[c] = runningMean[c];
        variance[c] = runningVariance[c];
      }
    }
    for (int c = 0; c < channels; c++) {
      double factor = gamma[c] / deviation(c);
      scale[c] = (float) factor;
      shift[c] = (float) (beta[c] - mean[c] * factor);
    }
    scaleAndShift(input, scale, shift, output, pixels);
  }

  private double deviation(int channel) {
    return Math.sqrt(variance[channel] + settings.epsilon());
  }

  private void measure(float[] input, int pixels) {
    Arrays.fill(mean, 0);
    addRows(input, pixels, mean);
    divide(mean, pixels);
    Arrays.fill(variance, 0);
    addSquares(input, pixels, mean, variance);
    divide(variance, pixels);
  }

  @Override
  public void backward(
      Pass pass,
      float[] input,
      float[] output,
      float[] delta,
      float[] gradient,
      float[] inputDelta) {
    int pixels = pass.samples() * shape.height() * shape.width();
    Arrays.fill(sums, 0);
    Arrays.fill(products, 0);
    addRows(delta, pixels, sums);
    addProducts(delta, input, mean, pixels, products);
    writeGradient(pass.samples(), gradient);
    if (inputDelta.length > 0) {
      writeInputDelta(input, delta, pixels, inputDelta);
    }
  }

  private void writeGradient(int samples, float[] gradient) {
    for (int c = 0; c < channels; c++) {
      if (settings.learns()) {
        gradient[settings.start() + c] = (float) (products[c] / deviation(c));
        gradient[settings.start() + channels + c] = (float) sums[c];
      }
      double share = samples * (1 - settings.decay());
      gradient[statistics() + c] = (float) (share * (runningMean[c] - mean[c]));
      gradient[statistics() + channels + c] = (float) (samples * spreadChange(c));
    }
  }

  private double spreadChange(int channel) {
    double running = runningVariance[channel];
    if (!settings.hasLogDeviation()) {
      return (1 - settings.decay()) * (running - variance[channel]);
    }
    double next = settings.decay() * running + (1 - settings.decay()) * variance[channel];
    return runningSpread[channel] - StrictMath.log10(next) / 2;
  }

  /**
   * Writes the gradient by the input. With x the input, n its count, d the deviation and δ the
   * delta, it is {@code γ/d (δ - Σδ/n - (x - μ) Σδ(x - μ) / (n d²))}.
   */
  private void writeInputDelta(float[] input, float[] delta, int pixels, float[] inputDelta) {
    float[] ofInput = new float[channels];
    for (int c = 0; c < channels; c++) {
      double factor = gamma[c] / deviation(c);
      double slope = products[c] / (pixels * (variance[c] + settings.epsilon()));
      scale[c] = (float) factor;
      ofInput[c] = (float) (-factor * slope);
      shift[c] = (float) (factor * (mean[c] * slope - sums[c] / pixels));
    }
    combine(delta, scale, input, ofInput, shift, inputDelta, pixels);
  }

  private static void scaleAndShift(
      float[] from, float[] scale, float[] shift, float[] to, int rows) {
    int width = scale.length;
    for (int start = 0; start < rows * width; start += width) {
      for (int c = 0; c < width; c++) {
        to[start + c] = from[start + c] * scale[c] + shift[c];
      }
    }
  }

  private static void combine(
      float[] a, float[] ofA, float[] b, float[] ofB, float[] shift, float[] to, int rows) {
    int width = shift.length;
    for (int start = 0; start < rows * width; start += width) {
      for (int c = 0; c < width; c++) {
        to[start + c] = a[start + c] * ofA[c] + b[start + c] * ofB[c] + shift[c];
      }
    }
  }

  private static void addRows(float[] matrix, int rows, double[] sums) {
    int width = sums.length;
    for (int start = 0; start < rows * width; start += width) {
      for (int c = 0; c < width; c++) {
        sums[c] += matrix[start + c];
      }
    }
  }

  private static void addSquares(float[] matrix, int rows, double[] mean, double[] sums) {
    int width = sums.length;
    for (int start = 0; start < rows * width; start += width) {
      for (int c = 0; c < width; c++) {
        double distance = matrix[start + c] - mean[c];
        sums[c] += distance * distance;
      }
    }
  }

  private static void addProducts(
      float[] delta, float[] input, double[] mean, int rows, double[] sums) {
    int width = sums.length;
    for (int start = 0; start < rows * width; start += width) {
      for (int c = 0; c < width; c++) {
        sums[c] += delta[start + c] * (input[start + c] - mean[c]);
      }
    }
  }

  private static void divide(double[] vector, int divisor) {
    for (int i = 0; i < vector.length; i++) {
      vector[i] /= divisor;
    }
  }
}
