package dev.braid.learner.layer;

import dev.braid.learner.structure.ImageShape;
import org.deeplearning4j.nn.conf.ConvolutionMode;

/**
 * The positions of a convolution's or a pooling's windows on an image. The first window's corner is
 * {@code padTop} above and {@code padLeft} left of the image's corner, and there are {@code rows}
 * times {@code columns} windows.
 */
record SlidingWindow(
    ImageShape image,
    int height,
    int width,
    int strideDown,
    int strideRight,
    int padTop,
    int padLeft,
    int rows,
    int columns) {

  /**
   * Returns the windows as Deeplearning4j places them. Arrays have the vertical dimension first.
   */
  static SlidingWindow of(
      ImageShape image, int[] kernel, int[] stride, int[] padding, ConvolutionMode mode) {
    if (mode == ConvolutionMode.Same) {
      int rows = -Math.floorDiv(-image.height(), stride[0]);
      int columns = -Math.floorDiv(-image.width(), stride[1]);
      return new SlidingWindow(
          image,
          kernel[0],
          kernel[1],
          stride[0],
          stride[1],
          padFirst(rows, stride[0], kernel[0], image.height()),
          padFirst(columns, stride[1], kernel[1], image.width()),
          rows,
          columns);
    }
    return new SlidingWindow(
        image,
        kernel[0],
        kernel[1],
        stride[0],
        stride[1],
        padding[0],
        padding[1],
        (image.height() + 2 * padding[0] - kernel[0]) / stride[0] + 1,
        (image.width() + 2 * padding[1] - kernel[1]) / stride[1] + 1);
  }

  /** Returns one window that covers the whole image. */
  static SlidingWindow whole(ImageShape image) {
    return new SlidingWindow(image, image.height(), image.width(), 1, 1, 0, 0, 1, 1);
  }

  /** Returns the padding above or left; if the total is odd, this is the smaller half. */
  private static int padFirst(int count, int stride, int kernel, int side) {
    return Math.max(0, (count - 1) * stride + kernel - side) / 2;
  }

  /** Returns the number of windows. */
  int count() {
    return Math.multiplyExact(rows, columns);
  }

  /** Returns the height of an image with a border such that no window has to be cut. */
  int paddedHeight() {
    return Math.max((rows - 1) * strideDown + height, padTop + image.height());
  }

  /** Returns the width of an image with a border such that no window has to be cut. */
  int paddedWidth() {
    return Math.max((columns - 1) * strideRight + width, padLeft + image.width());
  }

  /**
   * Returns the number of values of an image with a border.
   *
   * @throws ArithmeticException if it exceeds an array's limit
   */
  int paddedSize() {
    return Math.multiplyExact(Math.multiplyExact(paddedHeight(), paddedWidth()), image.channels());
  }

  /**
   * Returns the number of values that all windows cover, plus {@code beside} values for each
   * window.
   *
   * @throws ArithmeticException if it exceeds an array's limit
   */
  int seen(int beside) {
    return Math.multiplyExact(count(), Math.addExact(taps(), beside));
  }

  /** Returns the number of values of the image that a window covers. */
  int taps() {
    return Math.multiplyExact(Math.multiplyExact(height, width), image.channels());
  }
}
