package dev.braid.learner.layer;

import dev.braid.learner.structure.ImageShape;
import java.util.Arrays;

/**
 * The largest number of each window, for each channel. A window that reaches over the border counts
 * what is within. Of equal numbers, the first gets the gradient.
 *
 * <p>A rectifier before it is computed behind it, where there are fewer numbers: the largest of
 * what is rectified is the largest, rectified.
 */
final class MaxPooling implements ImageLayer {

  private final SlidingWindow window;
  private final WindowBounds bounds;
  private final int channels;
  private final int inputLine;
  private final boolean rectified;

  MaxPooling(SlidingWindow window, boolean rectified) {
    this.window = window;
    this.bounds = new WindowBounds(window);
    this.rectified = rectified;
    this.channels = window.image().channels();
    this.inputLine = window.image().width() * channels;
  }

  @Override
  public ImageShape output() {
    return new ImageShape(channels, window.rows(), window.columns());
  }

  @Override
  public void forward(Pass pass, float[] input, float[] output) {
    int images = pass.samples();
    Arrays.fill(output, 0, images * output().size(), rectified ? 0 : Float.NEGATIVE_INFINITY);
    int to = 0;
    for (int image = 0; image < images; image++) {
      int start = image * window.image().size();
      for (int y = 0; y < window.rows(); y++) {
        int endLine = bounds.endLine(y);
        for (int x = 0; x < window.columns(); x++) {
          int length = bounds.endPixel(x) - bounds.firstPixel(x);
          for (int line = bounds.firstLine(y); line < endLine; line++) {
            int from = start + line * inputLine + bounds.firstPixel(x) * channels;
            for (int pixel = 0; pixel < length; pixel++) {
              max(input, from + pixel * channels, output, to, channels);
            }
          }
          to += channels;
        }
      }
    }
  }

  private static void max(float[] from, int fromStart, float[] to, int toStart, int length) {
    for (int i = 0; i < length; i++) {
      to[toStart + i] = Math.max(to[toStart + i], from[fromStart + i]);
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
    if (inputDelta.length == 0) {
      return;
    }
    if (rectified) {
      RectifierLoops.mask(delta, output, images * output().size());
    }
    int inputSize = window.image().size();
    Arrays.fill(inputDelta, 0, images * inputSize, 0);
    int from = 0;
    for (int image = 0; image < images; image++) {
      for (int y = 0; y < window.rows(); y++) {
        for (int x = 0; x < window.columns(); x++) {
          giveBack(input, output, delta, from, inputDelta, image * inputSize, y, x);
          from += channels;
        }
      }
    }
  }

  /** Of one window. */
  private void giveBack(
      float[] input,
      float[] output,
      float[] delta,
      int from,
      float[] inputDelta,
      int start,
      int y,
      int x) {
    int first = start + bounds.firstLine(y) * inputLine + bounds.firstPixel(x) * channels;
    int lines = bounds.endLine(y) - bounds.firstLine(y);
    int pixels = bounds.endPixel(x) - bounds.firstPixel(x);
    for (int c = 0; c < channels; c++) {
      float given = delta[from + c];
      if (given != 0) {
        int place = firstLargest(input, first + c, lines, pixels, output[from + c]);
        inputDelta[place] += given;
      }
    }
  }

  /**
   * From the last place to the first, without a branch that cannot be foretold. It is the last if
   * none is as large, which is so for NaN.
   */
  private int firstLargest(float[] input, int first, int lines, int pixels, float largest) {
    int place = first + (lines - 1) * inputLine + (pixels - 1) * channels;
    for (int line = lines - 1; line >= 0; line--) {
      int start = first + line * inputLine;
      for (int at = start + (pixels - 1) * channels; at >= start; at -= channels) {
        place = input[at] == largest ? at : place;
      }
    }
    return place;
  }
}
