package dev.braid.learner;

import java.util.Arrays;

/**
 * The largest number of each window, for each channel. Of equal ones, the first gets the gradient.
 */
final class MaxPooling implements ImageLayer {

  private final SlidingWindow window;
  private final int channels;
  private final int inputLine;

  MaxPooling(SlidingWindow window) {
    this.window = window;
    this.channels = window.image().channels();
    this.inputLine = window.image().width() * channels;
  }

  @Override
  public ImageShape output() {
    return new ImageShape(channels, window.rows(), window.columns());
  }

  @Override
  public void takeWeights(float[] weights) {}

  @Override
  public void forward(float[] input, int images, float[] output) {
    Arrays.fill(output, 0, images * output().size(), Float.NEGATIVE_INFINITY);
    int to = 0;
    for (int image = 0; image < images; image++) {
      int start = image * window.image().size();
      for (int y = 0; y < window.rows(); y++) {
        for (int x = 0; x < window.columns(); x++) {
          for (int h = firstLine(y); h < endLine(y); h++) {
            for (int w = firstPixel(x); w < endPixel(x); w++) {
              max(input, start + h * inputLine + w * channels, output, to, channels);
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
      float[] input,
      float[] output,
      float[] delta,
      int images,
      float[] gradient,
      float[] inputDelta) {
    if (inputDelta.length == 0) {
      return;
    }
    int inputSize = window.image().size();
    Arrays.fill(inputDelta, 0, images * inputSize, 0);
    int from = 0;
    for (int image = 0; image < images; image++) {
      for (int y = 0; y < window.rows(); y++) {
        for (int x = 0; x < window.columns(); x++) {
          for (int c = 0; c < channels; c++, from++) {
            if (delta[from] != 0) {
              int corner = image * inputSize + c;
              inputDelta[firstLargest(input, corner, y, x, output[from])] += delta[from];
            }
          }
        }
      }
    }
  }

  /** The last place if none is as large, which is so for NaN. */
  private int firstLargest(float[] input, int corner, int y, int x, float largest) {
    int place = corner;
    for (int h = firstLine(y); h < endLine(y); h++) {
      for (int w = firstPixel(x); w < endPixel(x); w++) {
        place = corner + h * inputLine + w * channels;
        if (input[place] == largest) {
          return place;
        }
      }
    }
    return place;
  }

  // A window that reaches over the border counts what is within.

  private int firstLine(int y) {
    return Math.max(0, y * window.strideDown() - window.padTop());
  }

  private int endLine(int y) {
    return Math.min(
        window.image().height(), y * window.strideDown() - window.padTop() + window.height());
  }

  private int firstPixel(int x) {
    return Math.max(0, x * window.strideRight() - window.padLeft());
  }

  private int endPixel(int x) {
    return Math.min(
        window.image().width(), x * window.strideRight() - window.padLeft() + window.width());
  }
}
