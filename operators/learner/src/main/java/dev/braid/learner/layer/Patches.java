package dev.braid.learner.layer;

import dev.braid.learner.sparse.SummedRows;
import java.util.Arrays;

/**
 * The patches of images that a convolution's windows cover. Images are stored pixel by pixel, so
 * that a row of a window is contiguous, and is copied as one piece.
 *
 * <p>An image is first copied into a buffer with a border, so that no window has to be cut.
 */
final class Patches {

  private final SlidingWindow window;
  private final int channels;

  /** Number of values in a row of the padded image, of the image, and of a window. */
  private final int paddedLine;

  private final int line;
  private final int run;

  private final float[] padded;

  Patches(SlidingWindow window) {
    this.window = window;
    this.channels = window.image().channels();
    this.paddedLine = window.paddedWidth() * channels;
    this.line = window.image().width() * channels;
    this.run = window.width() * channels;
    this.padded = new float[window.paddedSize()];
  }

  /** Writes an image's patches, window after window, each row by row and pixel by pixel. */
  void take(float[] images, int imageStart, float[] patches, int patchesStart) {
    pad(images, imageStart);
    int to = patchesStart;
    for (int y = 0; y < window.rows(); y++) {
      for (int x = 0; x < window.columns(); x++) {
        copy(corner(y, x), patches, to);
        to += window.taps();
      }
    }
  }

  /** Writes an image's patches, each window's into a separate row. */
  void takeRows(float[] images, int imageStart, SummedRows rows, int firstRow) {
    pad(images, imageStart);
    int row = firstRow;
    for (int y = 0; y < window.rows(); y++) {
      for (int x = 0; x < window.columns(); x++) {
        copy(corner(y, x), rows.row(row), 0);
        row++;
      }
    }
  }

  private void pad(float[] images, int imageStart) {
    Arrays.fill(padded, 0);
    for (int y = 0; y < window.image().height(); y++) {
      System.arraycopy(images, imageStart + y * line, padded, lineStart(y), line);
    }
  }

  private void copy(int corner, float[] patches, int start) {
    int from = corner;
    int end = start + window.taps();
    for (int to = start; to < end; to += run) {
      System.arraycopy(padded, from, patches, to, run);
      from += paddedLine;
    }
  }

  /**
   * Begins an image's gradient: for each of its values, the sum over the patches that contain it.
   */
  void beginGradient() {
    Arrays.fill(padded, 0);
  }

  /** Adds the gradient of the window with this index. */
  void add(int place, float[] patch, int start) {
    int to = corner(place / window.columns(), place % window.columns());
    int end = start + window.taps();
    for (int from = start; from < end; from += run) {
      add(patch, from, padded, to, run);
      to += paddedLine;
    }
  }

  /** Writes the image's gradient. */
  void giveGradient(float[] images, int imageStart) {
    for (int y = 0; y < window.image().height(); y++) {
      System.arraycopy(padded, lineStart(y), images, imageStart + y * line, line);
    }
  }

  private static void add(float[] from, int fromStart, float[] to, int toStart, int length) {
    for (int i = 0; i < length; i++) {
      to[toStart + i] += from[fromStart + i];
    }
  }

  private int lineStart(int y) {
    return (y + window.padTop()) * paddedLine + window.padLeft() * channels;
  }

  private int corner(int y, int x) {
    return y * window.strideDown() * paddedLine + x * window.strideRight() * channels;
  }
}
