package dev.braid.learner.layer;

import dev.braid.learner.matrix.Matrix;
import dev.braid.learner.matrix.MatrixMultiplier;
import dev.braid.learner.structure.ImageShape;
import java.util.Arrays;

/**
 * The convolution at the start of a model, for images in the order of the data: channel after
 * channel. With few channels, a window's row has only a handful of values, too short to be copied
 * efficiently. The values at one position of all windows form a long row instead.
 *
 * <p>Patches are therefore stored position after position, and each position's values window after
 * window. The biases are the weights of one more position, whose value is 1. The gradient by the
 * images is not needed.
 */
final class FirstConvolution implements ImageLayer {

  private final SlidingWindow window;
  private final ConvolutionParameters parameters;
  private final boolean rectified;
  private final int kernels;

  /** Number of positions of a kernel: its values of the image, and 1 for the bias. */
  private final int places;

  private final float[] padded;
  private final int paddedWidth;
  private final int paddedSize;

  private final MatrixMultiplier multiplier;
  private final float[] patches;

  /** The patches as a matrix with a row for each window. */
  private final Matrix seen;

  /** The weights, kernel after kernel, each followed by its bias. */
  private final Matrix weights;

  /** The gradient by the weights, with a row for each position. */
  private final Matrix gradientRows;

  FirstConvolution(
      SlidingWindow window,
      ConvolutionParameters parameters,
      boolean rectified,
      MatrixMultiplier multiplier) {
    this.window = window;
    this.parameters = parameters;
    this.rectified = rectified;
    this.kernels = parameters.kernels();
    this.places = window.taps() + 1;
    this.paddedWidth = window.paddedWidth();
    this.padded = new float[window.paddedSize()];
    this.paddedSize = window.paddedHeight() * paddedWidth;
    this.patches = new float[window.seen(1)];
    Arrays.fill(patches, window.taps() * window.count(), patches.length, 1);
    this.multiplier = multiplier;
    this.seen = Matrix.byRow(patches, 0, places, window.count()).transposed();
    int size = Math.multiplyExact(kernels, places);
    this.weights = Matrix.byRow(new float[size], 0, kernels, places);
    this.gradientRows = Matrix.byRow(new float[size], 0, places, kernels);
  }

  @Override
  public ImageShape output() {
    return new ImageShape(kernels, window.rows(), window.columns());
  }

  @Override
  public void takeWeights(float[] all) {
    int taps = window.taps();
    for (int kernel = 0; kernel < kernels; kernel++) {
      weights.putRow(kernel, 0, taps, all, parameters.weightStart() + kernel * taps);
      weights.values()[weights.at(kernel, taps)] =
          parameters.hasBias() ? all[parameters.biasStart() + kernel] : 0;
    }
  }

  @Override
  public void forward(Pass pass, float[] input, float[] output) {
    int images = pass.samples();
    int length = window.count() * kernels;
    for (int image = 0; image < images; image++) {
      takePatches(input, image);
      multiplier.multiply(seen, weights.transposed(), ofWindows(output, image));
    }
    if (rectified) {
      RectifierLoops.rectify(output, images * length);
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
    int length = window.count() * kernels;
    if (rectified) {
      RectifierLoops.mask(delta, output, images * length);
    }
    for (int image = 0; image < images; image++) {
      takePatches(input, image);
      multiplier.multiply(seen.transposed(), ofWindows(delta, image), gradientRows, image > 0);
    }
    writeGradient(gradient);
  }

  /** Returns an image's outputs as a matrix with a row for each window. */
  private Matrix ofWindows(float[] outputs, int image) {
    int count = window.count();
    return Matrix.byRow(outputs, image * count * kernels, count, kernels);
  }

  private void writeGradient(float[] gradient) {
    int taps = window.taps();
    for (int kernel = 0; kernel < kernels; kernel++) {
      for (int tap = 0; tap < taps; tap++) {
        gradient[parameters.weightStart() + kernel * taps + tap] =
            gradientRows.values()[gradientRows.at(tap, kernel)];
      }
    }
    if (parameters.hasBias()) {
      gradientRows.copyRow(taps, 0, kernels, gradient, parameters.biasStart());
    }
  }

  private void takePatches(float[] images, int image) {
    pad(images, image * window.image().size());
    int to = 0;
    for (int channel = 0; channel < window.image().channels(); channel++) {
      for (int y = 0; y < window.height(); y++) {
        for (int x = 0; x < window.width(); x++) {
          copyPlace(channel * paddedSize + y * paddedWidth + x, to);
          to += window.count();
        }
      }
    }
  }

  /** Copies an image to the padded buffer, whose border remains 0. */
  private void pad(float[] images, int start) {
    int width = window.image().width();
    int from = start;
    for (int channel = 0; channel < window.image().channels(); channel++) {
      int to = channel * paddedSize + window.padTop() * paddedWidth + window.padLeft();
      for (int y = 0; y < window.image().height(); y++) {
        System.arraycopy(images, from, padded, to, width);
        from += width;
        to += paddedWidth;
      }
    }
  }

  private void copyPlace(int corner, int patchesStart) {
    int to = patchesStart;
    for (int row = 0; row < window.rows(); row++) {
      int from = corner + row * window.strideDown() * paddedWidth;
      if (window.strideRight() == 1) {
        System.arraycopy(padded, from, patches, to, window.columns());
      } else {
        for (int column = 0; column < window.columns(); column++) {
          patches[to + column] = padded[from + column * window.strideRight()];
        }
      }
      to += window.columns();
    }
  }

  @Override
  public void close() {
    multiplier.close();
  }
}
