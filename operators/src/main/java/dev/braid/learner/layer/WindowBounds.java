package dev.braid.learner.layer;

/**
 * What of a pooling's windows is on an image that lies pixel by pixel: one that reaches over the
 * border is cut.
 */
record WindowBounds(SlidingWindow window) {

  /** The first line of the windows in row {@code y}. */
  int firstLine(int y) {
    return Math.max(0, y * window.strideDown() - window.padTop());
  }

  int endLine(int y) {
    return Math.min(
        window.image().height(), y * window.strideDown() - window.padTop() + window.height());
  }

  /** The first pixel of the windows in column {@code x}. */
  int firstPixel(int x) {
    return Math.max(0, x * window.strideRight() - window.padLeft());
  }

  int endPixel(int x) {
    return Math.min(
        window.image().width(), x * window.strideRight() - window.padLeft() + window.width());
  }

  /** Whether no window in column {@code x} is cut at its left or right. */
  boolean isWhole(int x) {
    return endPixel(x) - firstPixel(x) == window.width();
  }

  /** Where a pixel's channels begin in the image. */
  int place(int line, int pixel) {
    return (line * window.image().width() + pixel) * window.image().channels();
  }
}
