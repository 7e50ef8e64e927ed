package dev.braid.learner.layer;

import dev.braid.learner.matrix.Matrix;
import dev.braid.learner.matrix.MatrixMultiplier;
import dev.braid.learner.matrix.MatrixMultipliers;
import dev.braid.learner.sparse.RowSum;
import dev.braid.learner.sparse.SparseProducts;
import dev.braid.learner.sparse.WeightedRows;
import dev.braid.learner.structure.ImageShape;
import java.util.Arrays;
import java.util.Optional;

/**
 * A convolution of images that lie pixel by pixel, and a rectifier if it has one: matrix products
 * of its weights, kernel after kernel, and of what its windows see ({@link Patches}).
 *
 * <p>Before a max-pooling, and behind a rectifier, most of the gradient by the outputs is 0. Where
 * it is, the two products of the way back are made of the rest alone, which takes a half to a third
 * of the time.
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
  private final ConvolutionParameters parameters;
  private final boolean rectified;
  private final int kernels;
  private final int taps;
  private final ImageShape kernelShape;
  private final Patches patches;
  private final int group;

  /** Of each kernel, as a patch lies. */
  private final float[][] weights;

  private final float[] biases;
  private final float[][] weightGradient;
  private final float[] biasGradient;

  /** How long a row is of what is summed up in vectors. */
  private final int stride;

  private final float[] flatPatches;

  /** The weights as they are, and each patch, in rows that vectors take. */
  private final float[] weightRows;

  private Optional<RowSum> vectors = Optional.empty();
  private float[][] patchRows = {};
  private final NonZeros nonZeros;
  private final float[] patchGradient;

  private final MatrixMultiplier multiplier;

  /** A row for each number of a patch, and a row for each kernel. */
  private final Matrix weightsByTap;

  private final Matrix weightsByKernel;
  private final Matrix gradientByKernel;

  Convolution(SlidingWindow window, ConvolutionParameters parameters, boolean rectified) {
    this.window = window;
    this.parameters = parameters;
    this.rectified = rectified;
    this.kernels = parameters.kernels();
    this.taps = window.taps();
    this.kernelShape = new ImageShape(window.image().channels(), window.height(), window.width());
    this.patches = new Patches(window);
    this.group = Math.max(1, GROUP_FLOATS / window.seen(0));
    this.biases = new float[kernels];
    this.stride = RowSum.lengthFor(taps);
    this.weightRows = new float[Math.multiplyExact(kernels, stride)];
    this.weights = new float[kernels][stride];
    this.weightGradient = new float[kernels][stride];
    this.biasGradient = new float[kernels];
    int rows = group * window.count();
    this.flatPatches = new float[Math.multiplyExact(rows, stride)];
    this.nonZeros = new NonZeros(kernels, rows);
    this.patchGradient = new float[stride];
    this.multiplier = MatrixMultipliers.of(kernels);
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
    for (int kernel = 0; kernel < kernels; kernel++) {
      kernelShape.toPixels(all, parameters.weightStart() + kernel * taps, weights[kernel], 0);
      System.arraycopy(weights[kernel], 0, weightRows, kernel * stride, taps);
      weightsByKernel.putRow(kernel, 0, taps, weights[kernel], 0);
      weightsByTap.transposed().putRow(kernel, 0, taps, weights[kernel], 0);
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

  /** Those of a group of images, a row each. */
  private Matrix takePatches(float[] input, int first, int images) {
    int count = Math.min(group, images - first);
    for (int i = 0; i < count; i++) {
      patches.take(input, inputStart(first + i), flatPatches, i * window.count() * taps, taps);
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
    if (vectors.isEmpty()) {
      vectors = SparseProducts.rowSum();
    }
    nonZeros.sort(images * window.count());
    if (vectors.isPresent()) {
      patchRows = new float[0][];
      addGradientInVectors(vectors.get(), input, first, images);
    } else {
      addGradientInLoops(input, first, images);
    }
    if (inputDelta.length > 0) {
      for (int i = 0; i < images; i++) {
        sparseInputDelta(i, inputDelta, inputStart(first + i));
      }
    }
  }

  private void addGradientInVectors(RowSum rowSum, float[] input, int first, int images) {
    for (int i = 0; i < images; i++) {
      int at = i * window.count() * stride;
      patches.take(input, inputStart(first + i), flatPatches, at, stride);
    }
    for (int kernel = 0; kernel < kernels; kernel++) {
      rowSum.add(
          weightGradient[kernel],
          flatPatches,
          stride,
          nonZeros.rows,
          nonZeros.byColumn,
          nonZeros.columnStarts[kernel],
          nonZeros.columnStarts[kernel + 1]);
    }
  }

  private void addGradientInLoops(float[] input, int first, int images) {
    if (patchRows.length == 0) {
      patchRows = new float[group * window.count()][stride];
    }
    for (int i = 0; i < images; i++) {
      patches.takeRows(input, inputStart(first + i), patchRows, i * window.count());
    }
    for (int kernel = 0; kernel < kernels; kernel++) {
      WeightedRows.add(
          weightGradient[kernel],
          patchRows,
          0,
          nonZeros.rows,
          nonZeros.byColumn,
          nonZeros.columnStarts[kernel],
          nonZeros.columnStarts[kernel + 1]);
    }
  }

  private void sparseInputDelta(int image, float[] inputDelta, int start) {
    patches.beginGradient();
    for (int place = 0; place < window.count(); place++) {
      int row = image * window.count() + place;
      int from = nonZeros.rowStarts[row];
      int to = nonZeros.rowStarts[row + 1];
      if (from < to) {
        addWeights(from, to);
        patches.add(place, patchGradient, 0);
      }
    }
    patches.giveGradient(inputDelta, start);
  }

  /** Those of a patch's non-zeros, each times a kernel's weights. */
  private void addWeights(int from, int to) {
    Arrays.fill(patchGradient, 0);
    if (vectors.isPresent()) {
      vectors
          .get()
          .add(patchGradient, weightRows, stride, nonZeros.columns, nonZeros.values, from, to);
    } else {
      WeightedRows.add(patchGradient, weights, 0, nonZeros.columns, nonZeros.values, from, to);
    }
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
