package dev.braid.learner.layer;

/**
 * The parts of a pooling's windows that are on an image, which is stored pixel by pixel: a window
 * that extends beyond the border is cut.
 */
record WindowBounds(SlidingWindow window) {

  /** Returns the first line of the windows in row {@code y}. */
  int firstLine(int y) {
    return Math.max(0, y * window.strideDown() - window.padTop());
  }

  int endLine(int y) {
    return Math.min(
        window.image().height(), y * window.strideDown() - window.padTop() + window.height());
  }

  /** Returns the first pixel of the windows in column {@code x}. */
  int firstPixel(int x) {
    return Math.max(0, x * window.strideRight() - window.padLeft());
  }

  int endPixel(int x) {
    return Math.min(
        window.image().width(), x * window.strideRight() - window.padLeft() + window.width());
  }

  /** Returns whether no window in column {@code x} is cut on its left or right. */
  boolean isWhole(int x) {
    return endPixel(x) - firstPixel(x) == window.width();
  }

  /** Returns the index in the image of a pixel's first channel. */
  int place(int line, int pixel) {
    return (line * window.image().width() + pixel) * window.image().channels();
  }
}
