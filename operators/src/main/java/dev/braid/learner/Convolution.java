package dev.braid.learner;

import static org.bytedeco.openblas.global.openblas_nolapack.CblasColMajor;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_sgemm;

import java.util.Arrays;
import org.bytedeco.javacpp.FloatPointer;

/**
 * A convolution, and a rectifier if it has one: matrix products of its weights, kernel after
 * kernel, and of what its windows see ({@link Patches}).
 *
 * <p>Before a max-pooling, and behind a rectifier, most of the gradient by the outputs is 0. Where
 * it is, the two products of the way back are made of the rest alone ({@link SparseRows}), which
 * takes a half to a third of the time of OpenBLAS's.
 *
 * <p>Images are taken a few at a time, so that their patches stay in a core's second cache. How
 * many depends on the layer alone: it decides the order of sums.
 */
final class Convolution implements ImageLayer {

  /** Of patches at a time: half a MiB. */
  private static final int GROUP_FLOATS = 1 << 17;

  /** Up to here sparse products are faster. */
  private static final double MOST_DENSITY = 0.35;

  private final SlidingWindow window;
  private final int kernels;
  private final int taps;
  private final int weightStart;
  private final int biasStart;
  private final boolean hasBias;
  private final boolean rectified;
  private final Patches patches;
  private final int group;

  /** Kernel after kernel, each as a patch lies. */
  private final float[] weights;

  private final float[] biases;
  private final float[] weightGradient;
  private final float[] groupGradient;
  private final float[] biasGradient;

  private final float[] patchRows;
  private final FloatPointer nativePatches;
  private final FloatPointer nativeOutput;
  private final FloatPointer nativeWeights;

  private final SparseRows sparse;
  private final float[] values;
  private final int[] columns;

  /**
   * A layer of a model.
   *
   * @param start where its parameters begin: the biases, if it has any, then the weights, kernel
   *     after kernel and channel after channel
   */
  Convolution(SlidingWindow window, int kernels, boolean hasBias, boolean rectified, int start) {
    this.window = window;
    this.kernels = kernels;
    this.taps = window.taps();
    this.hasBias = hasBias;
    this.rectified = rectified;
    this.biasStart = start;
    this.weightStart = start + (hasBias ? kernels : 0);
    this.patches = new Patches(window);
    this.group = Math.max(1, GROUP_FLOATS / (window.count() * taps));
    this.weights = new float[kernels * taps];
    this.biases = new float[kernels];
    this.weightGradient = new float[weights.length];
    this.groupGradient = new float[weights.length];
    this.biasGradient = new float[kernels];
    int rows = group * window.count();
    this.patchRows = new float[rows * taps];
    this.nativePatches = new FloatPointer((long) rows * taps);
    this.nativeOutput = new FloatPointer((long) rows * kernels);
    this.nativeWeights = new FloatPointer(weights.length);
    this.sparse = new SparseRows(kernels, taps);
    this.values = new float[rows * kernels + 1];
    this.columns = new int[rows * kernels + 1];
  }

  /** How many parameters such a layer has. */
  static int parameters(int channels, int[] kernel, int kernels, boolean hasBias) {
    int taps = Math.multiplyExact(channels, Math.multiplyExact(kernel[0], kernel[1]));
    return Math.addExact(Math.multiplyExact(taps, kernels), hasBias ? kernels : 0);
  }

  @Override
  public ImageShape output() {
    return new ImageShape(kernels, window.rows(), window.columns());
  }

  @Override
  public void takeWeights(float[] all) {
    for (int kernel = 0; kernel < kernels; kernel++) {
      kernelShape().toPixels(all, weightStart + kernel * taps, weights, kernel * taps);
    }
    nativeWeights.put(weights, 0, weights.length);
    if (hasBias) {
      System.arraycopy(all, biasStart, biases, 0, kernels);
    }
  }

  private ImageShape kernelShape() {
    return new ImageShape(window.image().channels(), window.height(), window.width());
  }

  @Override
  public void forward(float[] input, int images, float[] output) {
    for (int first = 0; first < images; first += group) {
      int rows = takePatches(input, first, images);
      nativePatches.put(patchRows, 0, rows * taps);
      cblas_sgemm(
          CblasColMajor,
          CblasTrans,
          CblasNoTrans,
          kernels,
          rows,
          taps,
          1,
          nativeWeights,
          taps,
          nativePatches,
          taps,
          0,
          nativeOutput,
          kernels);
      int start = first * window.count() * kernels;
      nativeOutput.get(output, start, rows * kernels);
      addBiases(output, start, rows);
    }
    if (rectified) {
      DenseActivation.Rectifier.rectify(output, images * window.count() * kernels);
    }
  }

  /** Returns how many patches there are. */
  private int takePatches(float[] input, int first, int images) {
    int end = Math.min(first + group, images);
    for (int image = first; image < end; image++) {
      patches.take(
          input, image * window.image().size(), patchRows, (image - first) * window.count() * taps);
    }
    return (end - first) * window.count();
  }

  private void addBiases(float[] output, int start, int rows) {
    for (int at = start; at < start + rows * kernels; at += kernels) {
      for (int kernel = 0; kernel < kernels; kernel++) {
        output[at + kernel] += biases[kernel];
      }
    }
  }

  @Override
  public void backward(
      float[] input,
      float[] output,
      float[] delta,
      int images,
      float[] gradient,
      float[] inputDelta) {
    if (rectified) {
      DenseActivation.Rectifier.mask(delta, output, images * window.count() * kernels);
    }
    Arrays.fill(weightGradient, 0);
    Arrays.fill(biasGradient, 0);
    for (int first = 0; first < images; first += group) {
      int rows = takePatches(input, first, images);
      Features ofOutput = takeDelta(delta, first * window.count() * kernels, rows);
      boolean wanted = inputDelta.length > 0;
      if (ofOutput.count() <= MOST_DENSITY * rows * kernels) {
        backwardSparse(ofOutput, rows, wanted);
      } else {
        backwardDense(delta, first, rows, wanted);
      }
      add(groupGradient, weightGradient);
      if (wanted) {
        givePatches(inputDelta, first, rows / window.count());
      }
    }
    writeGradient(gradient);
  }

  /** What is not 0 of some patches' gradient; its sum is added to the biases'. */
  private Features takeDelta(float[] delta, int start, int rows) {
    int[] rowStarts = new int[rows + 1];
    int count = 0;
    for (int row = 0; row < rows; row++) {
      int at = start + row * kernels;
      for (int kernel = 0; kernel < kernels; kernel++) {
        float value = delta[at + kernel];
        columns[count] = kernel;
        values[count] = value;
        count += value == 0 ? 0 : 1;
      }
      rowStarts[row + 1] = count;
    }
    for (int i = 0; i < count; i++) {
      biasGradient[columns[i]] += values[i];
    }
    return Features.sparse(kernels, rowStarts, columns, values);
  }

  private void backwardSparse(Features delta, int rows, boolean wanted) {
    sparse.take(delta, 0, rows);
    sparse.weightGradient(patchRows, rows, groupGradient, 0);
    if (wanted) {
      sparse.product(weights, 0, patchRows, rows);
    }
  }

  private void backwardDense(float[] delta, int first, int rows, boolean wanted) {
    nativeOutput.put(delta, first * window.count() * kernels, rows * kernels);
    nativePatches.put(patchRows, 0, rows * taps);
    try (FloatPointer nativeGradient = new FloatPointer(weights.length)) {
      cblas_sgemm(
          CblasColMajor,
          CblasNoTrans,
          CblasTrans,
          taps,
          kernels,
          rows,
          1,
          nativePatches,
          taps,
          nativeOutput,
          kernels,
          0,
          nativeGradient,
          taps);
      nativeGradient.get(groupGradient);
    }
    if (wanted) {
      cblas_sgemm(
          CblasColMajor,
          CblasNoTrans,
          CblasNoTrans,
          taps,
          rows,
          kernels,
          1,
          nativeWeights,
          taps,
          nativeOutput,
          kernels,
          0,
          nativePatches,
          taps);
      nativePatches.get(patchRows, 0, rows * taps);
    }
  }

  private void givePatches(float[] inputDelta, int first, int images) {
    for (int image = 0; image < images; image++) {
      patches.give(
          patchRows,
          image * window.count() * taps,
          inputDelta,
          (first + image) * window.image().size());
    }
  }

  private void writeGradient(float[] gradient) {
    for (int kernel = 0; kernel < kernels; kernel++) {
      kernelShape().toPlanes(weightGradient, kernel * taps, gradient, weightStart + kernel * taps);
    }
    if (hasBias) {
      System.arraycopy(biasGradient, 0, gradient, biasStart, kernels);
    }
  }

  private static void add(float[] from, float[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] += from[i];
    }
  }

  @Override
  public void close() {
    nativePatches.close();
    nativeOutput.close();
    nativeWeights.close();
  }
}
