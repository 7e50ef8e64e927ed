package dev.braid.learner;

import java.util.Arrays;

/**
 * What a convolution's windows see of images that lie pixel by pixel, as rows: a row of a window is
 * one piece of memory then, and is copied as one.
 *
 * <p>An image is copied into one with a border first, so that no window has to be cut.
 */
final class Patches {

  private final SlidingWindow window;
  private final int channels;
  private final int paddedWidth;
  private final float[] padded;

  Patches(SlidingWindow window) {
    this.window = window;
    ImageShape image = window.image();
    this.channels = image.channels();
    int paddedHeight =
        Math.max(
            (window.rows() - 1) * window.strideDown() + window.height(),
            window.padTop() + image.height());
    this.paddedWidth =
        Math.max(
            (window.columns() - 1) * window.strideRight() + window.width(),
            window.padLeft() + image.width());
    this.padded = new float[paddedHeight * paddedWidth * channels];
  }

  /** Writes an image's patches, window after window, each row by row and pixel by pixel. */
  void take(float[] images, int imageStart, float[] patches, int patchesStart) {
    int line = window.image().width() * channels;
    Arrays.fill(padded, 0);
    for (int y = 0; y < window.image().height(); y++) {
      System.arraycopy(images, imageStart + y * line, padded, lineStart(y), line);
    }
    int run = window.width() * channels;
    int to = patchesStart;
    for (int y = 0; y < window.rows(); y++) {
      for (int x = 0; x < window.columns(); x++) {
        int from = corner(y, x);
        for (int k = 0; k < window.height(); k++) {
          System.arraycopy(padded, from, patches, to, run);
          from += paddedWidth * channels;
          to += run;
        }
      }
    }
  }

  /** Writes an image's gradient: for each of its numbers, the sum over the patches it is in. */
  void give(float[] patches, int patchesStart, float[] images, int imageStart) {
    Arrays.fill(padded, 0);
    int run = window.width() * channels;
    int from = patchesStart;
    for (int y = 0; y < window.rows(); y++) {
      for (int x = 0; x < window.columns(); x++) {
        int to = corner(y, x);
        for (int k = 0; k < window.height(); k++) {
          add(patches, from, padded, to, run);
          to += paddedWidth * channels;
          from += run;
        }
      }
    }
    int line = window.image().width() * channels;
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
    return ((y + window.padTop()) * paddedWidth + window.padLeft()) * channels;
  }

  private int corner(int y, int x) {
    return (y * window.strideDown() * paddedWidth + x * window.strideRight()) * channels;
  }
}
