package dev.braid.learner.layer;

import dev.braid.learner.matrix.Matrix;
import dev.braid.learner.matrix.MatrixMultiplier;
import dev.braid.learner.sparse.SummedRows;
import dev.braid.learner.structure.ImageShape;
import java.util.Arrays;

/**
 * A convolution of images that are stored pixel by pixel, with an optional rectifier: matrix
 * products of its weights, kernel after kernel, and of the patches that its windows cover ({@link
 * Patches}).
 *
 * <p>Before a max-pooling, and after a rectifier, most of the gradient by the outputs is 0. In that
 * case the two products of the backward pass use only the values that are not 0, which takes a half
 * to a third of the time.
 *
 * <p>A few images are processed at a time, so that their patches stay in a core's second-level
 * cache. Their number depends only on the layer, because it decides the order of sums.
 */
final class Convolution implements ImageLayer {

  /** Elements of the patches that are processed at a time: half a MiB. */
  private static final int GROUP_FLOATS = 1 << 17;

  /** Highest share of values that are not 0 at which sparse products are faster. */
  private static final double MOST_DENSITY = 0.35;

  private final SlidingWindow window;
  private final ConvolutionParameters parameters;
  private final boolean rectified;
  private final int kernels;
  private final int taps;
  private final ImageShape kernelShape;
  private final Patches patches;
  private final int group;

  private final float[] biases;
  private final float[][] weightGradient;
  private final float[] biasGradient;

  private final float[] flatPatches;

  /**
   * Patches, and each kernel's weights in the order of a patch, as rows whose weighted sums are
   * computed.
   */
  private final SummedRows patchRows;

  private final SummedRows weightRows;
  private final NonZeros nonZeros;
  private final float[] patchGradient;

  private final MatrixMultiplier multiplier;

  /** The weights with a row for each element of a patch, and with a row for each kernel. */
  private final Matrix weightsByTap;

  private final Matrix weightsByKernel;
  private final Matrix gradientByKernel;

  Convolution(
      SlidingWindow window,
      ConvolutionParameters parameters,
      boolean rectified,
      MatrixMultiplier multiplier) {
    this.window = window;
    this.parameters = parameters;
    this.rectified = rectified;
    this.kernels = parameters.kernels();
    this.taps = window.taps();
    this.kernelShape = new ImageShape(window.image().channels(), window.height(), window.width());
    this.patches = new Patches(window);
    this.group = Math.max(1, GROUP_FLOATS / window.seen(0));
    this.biases = new float[kernels];
    this.biasGradient = new float[kernels];
    int rows = group * window.count();
    this.flatPatches = new float[rows * taps];
    this.patchRows = new SummedRows(rows, taps);
    this.weightRows = new SummedRows(kernels, taps);
    this.weightGradient = new float[kernels][patchRows.length()];
    this.nonZeros = new NonZeros(kernels, rows);
    this.patchGradient = new float[weightRows.length()];
    this.multiplier = multiplier;
    this.weightsByTap = Matrix.byRow(new float[taps * kernels], 0, taps, kernels);
    this.weightsByKernel = Matrix.byRow(new float[kernels * taps], 0, kernels, taps);
    this.gradientByKernel = Matrix.byRow(new float[kernels * taps], 0, kernels, taps);
  }

  @Override
  public ImageShape output() {
    return new ImageShape(kernels, window.rows(), window.columns());
  }

  @Override
  public void takeWeights(float[] all) {
    float[] weights = weightsByKernel.values();
    for (int kernel = 0; kernel < kernels; kernel++) {
      int at = kernel * taps;
      kernelShape.toPixels(all, parameters.weightStart() + at, weights, at);
      System.arraycopy(weights, at, weightRows.row(kernel), 0, taps);
      weightsByTap.transposed().putRow(kernel, 0, taps, weights, at);
    }
    if (parameters.hasBias()) {
      System.arraycopy(all, parameters.biasStart(), biases, 0, kernels);
    }
  }

  @Override
  public void forward(Pass pass, float[] input, float[] output) {
    int images = pass.samples();
    for (int first = 0; first < images; first += group) {
      Matrix seen = takePatches(input, first, images);
      multiplier.multiply(
          seen, weightsByTap, Matrix.byRow(output, outputStart(first), seen.rows(), kernels));
    }
    addBiases(output, images * window.count());
    if (rectified) {
      RectifierLoops.rectify(output, outputStart(images));
    }
  }

  /** Copies the patches of a group of images, one row per patch. */
  private Matrix takePatches(float[] input, int first, int images) {
    int count = Math.min(group, images - first);
    for (int i = 0; i < count; i++) {
      patches.take(input, inputStart(first + i), flatPatches, i * window.count() * taps);
    }
    return Matrix.byRow(flatPatches, 0, count * window.count(), taps);
  }

  private int inputStart(int image) {
    return image * window.image().size();
  }

  private int outputStart(int image) {
    return image * window.count() * kernels;
  }

  private void addBiases(float[] output, int rows) {
    for (int at = 0; at < rows * kernels; at += kernels) {
      for (int kernel = 0; kernel < kernels; kernel++) {
        output[at + kernel] += biases[kernel];
      }
    }
  }

  @Override
  public void backward(
      Pass pass,
      float[] input,
      float[] output,
      float[] delta,
      float[] gradient,
      float[] inputDelta) {
    int images = pass.samples();
    if (rectified) {
      RectifierLoops.mask(delta, output, outputStart(images));
    }
    for (float[] row : weightGradient) {
      Arrays.fill(row, 0);
    }
    Arrays.fill(biasGradient, 0);
    for (int first = 0; first < images; first += group) {
      int count = Math.min(group, images - first);
      int rows = count * window.count();
      int found = nonZeros.take(delta, outputStart(first), rows);
      for (int i = 0; i < found; i++) {
        biasGradient[nonZeros.columns[i]] += nonZeros.values[i];
      }
      if (found <= MOST_DENSITY * rows * kernels) {
        backwardSparse(input, first, count, inputDelta);
      } else {
        backwardDense(input, delta, first, count, inputDelta);
      }
    }
    writeGradient(gradient);
  }

  private void backwardSparse(float[] input, int first, int images, float[] inputDelta) {
    for (int i = 0; i < images; i++) {
      patches.takeRows(input, inputStart(first + i), patchRows, i * window.count());
    }
    nonZeros.sort(images * window.count());
    for (int kernel = 0; kernel < kernels; kernel++) {
      patchRows.add(
          weightGradient[kernel],
          nonZeros.rows,
          nonZeros.byColumn,
          nonZeros.columnStarts[kernel],
          nonZeros.columnStarts[kernel + 1]);
    }
    if (inputDelta.length > 0) {
      for (int i = 0; i < images; i++) {
        sparseInputDelta(i, inputDelta, inputStart(first + i));
      }
    }
  }

  private void sparseInputDelta(int image, float[] inputDelta, int start) {
    patches.beginGradient();
    for (int place = 0; place < window.count(); place++) {
      int row = image * window.count() + place;
      int from = nonZeros.rowStarts[row];
      int to = nonZeros.rowStarts[row + 1];
      if (from < to) {
        Arrays.fill(patchGradient, 0);
        weightRows.add(patchGradient, nonZeros.columns, nonZeros.values, from, to);
        patches.add(place, patchGradient, 0);
      }
    }
    patches.giveGradient(inputDelta, start);
  }

  private void backwardDense(
      float[] input, float[] delta, int first, int images, float[] inputDelta) {
    Matrix seen = takePatches(input, first, first + images);
    Matrix outputDelta = Matrix.byRow(delta, outputStart(first), seen.rows(), kernels);
    multiplier.multiply(outputDelta.transposed(), seen, gradientByKernel);
    for (int kernel = 0; kernel < kernels; kernel++) {
      gradientByKernel.copyRow(kernel, 0, taps, patchGradient, 0);
      add(patchGradient, weightGradient[kernel]);
    }
    if (inputDelta.length > 0) {
      multiplier.multiply(outputDelta, weightsByKernel, seen);
      for (int i = 0; i < images; i++) {
        giveInputDelta(i, inputDelta, inputStart(first + i));
      }
    }
  }

  private void giveInputDelta(int image, float[] inputDelta, int start) {
    patches.beginGradient();
    for (int place = 0; place < window.count(); place++) {
      patches.add(place, flatPatches, (image * window.count() + place) * taps);
    }
    patches.giveGradient(inputDelta, start);
  }

  private void writeGradient(float[] gradient) {
    for (int kernel = 0; kernel < kernels; kernel++) {
      kernelShape.toPlanes(
          weightGradient[kernel], 0, gradient, parameters.weightStart() + kernel * taps);
    }
    if (parameters.hasBias()) {
      System.arraycopy(biasGradient, 0, gradient, parameters.biasStart(), kernels);
    }
  }

  private static void add(float[] from, float[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] += from[i];
    }
  }

  @Override
  public void close() {
    multiplier.close();
  }
}
