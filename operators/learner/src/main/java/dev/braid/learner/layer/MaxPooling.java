package dev.braid.learner.layer;

import dev.braid.learner.structure.ImageShape;
import java.util.Arrays;

/**
 * Max-pooling: the largest value of each window, for each channel. If a window extends beyond the
 * border, only the values inside the image count. The first of equal values receives the gradient;
 * 0 is larger than −0.
 *
 * <p>A rectifier before the pooling is computed after it, where there are fewer values: the largest
 * of the rectified values is the largest value, rectified.
 */
final class MaxPooling implements ImageLayer {

  private final SlidingWindow window;
  private final WindowBounds bounds;
  private final int channels;
  private final int inputLine;
  private final boolean rectified;

  /** The largest value of the lines in a row of windows, for each position in a line. */
  private final float[] ofLines;

  /** The largest value in a window's width from each position on. */
  private final float[] largest;

  private final float[] other;

  MaxPooling(SlidingWindow window, boolean rectified) {
    this.window = window;
    this.bounds = new WindowBounds(window);
    this.rectified = rectified;
    this.channels = window.image().channels();
    this.inputLine = window.image().width() * channels;
    this.ofLines = new float[inputLine];
    this.largest = new float[inputLine];
    this.other = new float[inputLine];
  }

  @Override
  public ImageShape output() {
    return new ImageShape(channels, window.rows(), window.columns());
  }

  @Override
  public void forward(Pass pass, float[] input, float[] output) {
    int to = 0;
    for (int image = 0; image < pass.samples(); image++) {
      for (int y = 0; y < window.rows(); y++) {
        takeLines(input, image * window.image().size(), y);
        largestFromEachPixel();
        for (int x = 0; x < window.columns(); x++) {
          if (bounds.isWhole(x)) {
            System.arraycopy(largest, bounds.firstPixel(x) * channels, output, to, channels);
          } else {
            largestOfPixels(output, to, bounds.firstPixel(x), bounds.endPixel(x));
          }
          to += channels;
        }
      }
    }
  }

  /**
   * Takes the largest value of the lines in row {@code y} of windows, for each position. A line is
   * long enough for vector instructions, unlike a pixel's channels.
   */
  private void takeLines(float[] input, int start, int y) {
    Arrays.fill(ofLines, rectified ? 0 : Float.NEGATIVE_INFINITY);
    for (int i = bounds.firstLine(y); i < bounds.endLine(y); i++) {
      System.arraycopy(input, start + i * inputLine, other, 0, inputLine);
      max(ofLines, other);
    }
  }

  /**
   * Computes the largest value in a window's width from each pixel on, except for the last pixels.
   */
  private void largestFromEachPixel() {
    System.arraycopy(ofLines, 0, largest, 0, inputLine);
    for (int pixel = 1; pixel < window.width(); pixel++) {
      int left = pixel * channels;
      System.arraycopy(ofLines, left, other, 0, Math.max(0, inputLine - left));
      max(largest, other);
    }
  }

  private static void max(float[] to, float[] from) {
    for (int i = 0; i < to.length; i++) {
      to[i] = Math.max(to[i], from[i]);
    }
  }

  /** Computes the output for a window that is cut at the border. */
  private void largestOfPixels(float[] output, int to, int first, int end) {
    for (int c = 0; c < channels; c++) {
      float max = rectified ? 0 : Float.NEGATIVE_INFINITY;
      for (int at = first * channels + c; at < end * channels; at += channels) {
        max = Math.max(max, ofLines[at]);
      }
      output[to + c] = max;
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

  /** Distributes the gradient of one window's outputs. */
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
    if (lines == 2 && pixels == 2) {
      giveBackOfFour(input, output, delta, from, inputDelta, first);
      return;
    }
    for (int c = 0; c < channels; c++) {
      float given = delta[from + c];
      if (given != 0) {
        int place = firstLargest(input, first + c, lines, pixels, output[from + c]);
        inputDelta[place] += given;
      }
    }
  }

  private void giveBackOfFour(
      float[] input, float[] output, float[] delta, int from, float[] inputDelta, int first) {
    int below = first + inputLine;
    for (int c = 0; c < channels; c++) {
      int largest = Float.floatToRawIntBits(output[from + c]);
      int place = below + channels + c;
      place = isAs(largest, input[below + c]) ? below + c : place;
      place = isAs(largest, input[first + channels + c]) ? first + channels + c : place;
      place = isAs(largest, input[first + c]) ? first + c : place;
      inputDelta[place] += delta[from + c];
    }
  }

  /**
   * Returns whether a number has these bits. A comparison of floats would also test for NaN, with a
   * branch.
   */
  private static boolean isAs(int largest, float number) {
    return Float.floatToRawIntBits(number) == largest;
  }

  /**
   * Returns the position of the first value that equals the largest. The loop runs from the last
   * position to the first, without an unpredictable branch. It returns the last position if no
   * value is equal, which is possible for NaN.
   */
  private int firstLargest(float[] input, int first, int lines, int pixels, float largest) {
    int bits = Float.floatToRawIntBits(largest);
    int place = first + (lines - 1) * inputLine + (pixels - 1) * channels;
    for (int line = lines - 1; line >= 0; line--) {
      int start = first + line * inputLine;
      for (int at = start + (pixels - 1) * channels; at >= start; at -= channels) {
        place = isAs(bits, input[at]) ? at : place;
      }
    }
    return place;
  }
}
