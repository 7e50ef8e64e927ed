package dev.braid.learner.layer;

import dev.braid.learner.structure.ImageShape;
import java.util.Arrays;

/**
 * Average pooling or sum pooling: the average or the sum of each window's values, for each channel.
 * If a window extends beyond the border, only the values inside the image count.
 */
final class AveragePooling implements ImageLayer {

  /** Divisor of the sum over a window. */
  enum Divisor {
    /** The number of positions inside the image. */
    WITHIN,
    /** The number of all positions, including those beyond the border, whose values are 0. */
    ALL,
    ONE
  }

  private final WindowBounds bounds;
  private final SlidingWindow window;
  private final Divisor divisor;
  private final int channels;

  AveragePooling(SlidingWindow window, Divisor divisor) {
    this.window = window;
    this.bounds = new WindowBounds(window);
    this.divisor = divisor;
    this.channels = window.image().channels();
  }

  @Override
  public ImageShape output() {
    return new ImageShape(channels, window.rows(), window.columns());
  }

  @Override
  public void forward(Pass pass, float[] input, float[] output) {
    Arrays.fill(output, 0, pass.samples() * output().size(), 0);
    int to = 0;
    for (int image = 0; image < pass.samples(); image++) {
      for (int y = 0; y < window.rows(); y++) {
        for (int x = 0; x < window.columns(); x++) {
          sum(input, image * window.image().size(), y, x, output, to);
          to += channels;
        }
      }
    }
  }

  private void sum(float[] input, int start, int y, int x, float[] output, int to) {
    for (int line = bounds.firstLine(y); line < bounds.endLine(y); line++) {
      for (int pixel = bounds.firstPixel(x); pixel < bounds.endPixel(x); pixel++) {
        add(input, start + bounds.place(line, pixel), output, to, 1, channels);
      }
    }
    float share = share(y, x);
    for (int c = 0; c < channels; c++) {
      output[to + c] *= share;
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
    if (inputDelta.length == 0) {
      return;
    }
    Arrays.fill(inputDelta, 0, pass.samples() * window.image().size(), 0);
    int from = 0;
    for (int image = 0; image < pass.samples(); image++) {
      for (int y = 0; y < window.rows(); y++) {
        for (int x = 0; x < window.columns(); x++) {
          giveBack(delta, from, inputDelta, image * window.image().size(), y, x);
          from += channels;
        }
      }
    }
  }

  private void giveBack(float[] delta, int from, float[] inputDelta, int start, int y, int x) {
    float share = share(y, x);
    for (int line = bounds.firstLine(y); line < bounds.endLine(y); line++) {
      for (int pixel = bounds.firstPixel(x); pixel < bounds.endPixel(x); pixel++) {
        add(delta, from, inputDelta, start + bounds.place(line, pixel), share, channels);
      }
    }
  }

  private float share(int y, int x) {
    return switch (divisor) {
      case ONE -> 1;
      case ALL -> 1f / (window.height() * window.width());
      case WITHIN ->
          1f
              / ((bounds.endLine(y) - bounds.firstLine(y))
                  * (bounds.endPixel(x) - bounds.firstPixel(x)));
    };
  }

  private static void add(
      float[] from, int fromStart, float[] to, int toStart, float share, int length) {
    for (int i = 0; i < length; i++) {
      to[toStart + i] += share * from[fromStart + i];
    }
  }
}
