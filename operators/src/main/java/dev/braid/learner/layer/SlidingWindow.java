package dev.braid.learner.layer;

import dev.braid.learner.structure.ImageShape;
import org.deeplearning4j.nn.conf.ConvolutionMode;

/**
 * Where the windows of a convolution or a pooling lie on an image: the first has its corner {@code
 * padTop} above and {@code padLeft} left of the image's, and there are {@code rows} times {@code
 * columns} of them.
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

  /** As Deeplearning4j places them. Arrays have what is vertical first. */
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

  /** One window that is the whole image. */
  static SlidingWindow whole(ImageShape image) {
    return new SlidingWindow(image, image.height(), image.width(), 1, 1, 0, 0, 1, 1);
  }

  /** Of an odd number of lines, the smaller half is above. */
  private static int padFirst(int count, int stride, int kernel, int side) {
    return Math.max(0, (count - 1) * stride + kernel - side) / 2;
  }

  /** How many windows there are. */
  int count() {
    return Math.multiplyExact(rows, columns);
  }

  /** Of an image with a border, on which no window has to be cut. */
  int paddedHeight() {
    return Math.max((rows - 1) * strideDown + height, padTop + image.height());
  }

  /** The same from left to right. */
  int paddedWidth() {
    return Math.max((columns - 1) * strideRight + width, padLeft + image.width());
  }

  /**
   * How many numbers an image with a border is.
   *
   * @throws ArithmeticException if they are more than fit into an array
   */
  int paddedSize() {
    return Math.multiplyExact(Math.multiplyExact(paddedHeight(), paddedWidth()), image.channels());
  }

  /**
   * How many numbers all windows see, and some beside in each.
   *
   * @throws ArithmeticException if they are more than fit into an array
   */
  int seen(int beside) {
    return Math.multiplyExact(count(), Math.addExact(taps(), beside));
  }

  /** How many numbers of the image one sees. */
  int taps() {
    return Math.multiplyExact(Math.multiplyExact(height, width), image.channels());
  }
}
