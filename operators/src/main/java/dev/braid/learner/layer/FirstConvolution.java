package dev.braid.learner.layer;

import static org.bytedeco.openblas.global.openblas_nolapack.CblasColMajor;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_sgemm;

import dev.braid.learner.structure.ImageShape;
import java.util.Arrays;
import org.bytedeco.javacpp.FloatPointer;

/**
 * The convolution that a model begins with, of images as data has them: channel after channel.
 * There are few channels, so a window's row in them is a handful of numbers, too short to be copied
 * as one; what one place of all windows sees is long.
 *
 * <p>So patches lie place after place here, and each place's numbers window after window. The
 * biases are the weights of one more place, which sees 1. Nobody needs the gradient by the images.
 */
final class FirstConvolution implements ImageLayer {

  private final SlidingWindow window;
  private final ConvolutionParameters parameters;
  private final boolean rectified;
  private final int kernels;

  /** What kernels see: numbers of the image, and 1 for the bias. */
  private final int places;

  private final float[] padded;
  private final int paddedWidth;
  private final int paddedSize;

  private final float[] patches;
  private final FloatPointer nativePatches;
  private final FloatPointer nativeOutput;

  /** Kernel after kernel, with the bias at each one's end. */
  private final float[] weights;

  private final FloatPointer nativeWeights;

  /** Place after place. */
  private final float[] gradientRows;

  private final FloatPointer nativeGradient;

  FirstConvolution(SlidingWindow window, ConvolutionParameters parameters, boolean rectified) {
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
    this.nativePatches = new FloatPointer(patches.length);
    this.nativeOutput = new FloatPointer((long) kernels * window.count());
    this.weights = new float[kernels * places];
    this.nativeWeights = new FloatPointer(weights.length);
    this.gradientRows = new float[weights.length];
    this.nativeGradient = new FloatPointer(weights.length);
  }

  @Override
  public ImageShape output() {
    return new ImageShape(kernels, window.rows(), window.columns());
  }

  @Override
  public void takeWeights(float[] all) {
    int taps = window.taps();
    for (int kernel = 0; kernel < kernels; kernel++) {
      System.arraycopy(
          all, parameters.weightStart() + kernel * taps, weights, kernel * places, taps);
      weights[kernel * places + taps] =
          parameters.hasBias() ? all[parameters.biasStart() + kernel] : 0;
    }
    nativeWeights.put(weights, 0, weights.length);
  }

  @Override
  public void forward(Pass pass, float[] input, float[] output) {
    int images = pass.samples();
    int length = window.count() * kernels;
    for (int image = 0; image < images; image++) {
      takePatches(input, image);
      cblas_sgemm(
          CblasColMajor,
          CblasTrans,
          CblasTrans,
          kernels,
          window.count(),
          places,
          1,
          nativeWeights,
          places,
          nativePatches,
          window.count(),
          0,
          nativeOutput,
          kernels);
      nativeOutput.get(output, image * length, length);
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
      nativeOutput.put(delta, image * length, length);
      cblas_sgemm(
          CblasColMajor,
          CblasNoTrans,
          CblasNoTrans,
          kernels,
          places,
          window.count(),
          1,
          nativeOutput,
          kernels,
          nativePatches,
          window.count(),
          image == 0 ? 0 : 1,
          nativeGradient,
          kernels);
    }
    nativeGradient.get(gradientRows);
    writeGradient(gradient);
  }

  private void writeGradient(float[] gradient) {
    int taps = window.taps();
    for (int kernel = 0; kernel < kernels; kernel++) {
      for (int tap = 0; tap < taps; tap++) {
        gradient[parameters.weightStart() + kernel * taps + tap] =
            gradientRows[tap * kernels + kernel];
      }
    }
    if (parameters.hasBias()) {
      System.arraycopy(gradientRows, taps * kernels, gradient, parameters.biasStart(), kernels);
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
    nativePatches.put(patches, 0, patches.length);
  }

  /** The border stays 0. */
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
    nativePatches.close();
    nativeOutput.close();
    nativeWeights.close();
    nativeGradient.close();
  }
}
