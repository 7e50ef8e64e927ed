package dev.braid.connectors.image;

import dev.braid.connectors.file.InvalidDataException;
import java.io.Serializable;

/**
 * The scale that gives a channel of images mean 0 and standard deviation 1 over the training set.
 *
 * @param mean number that is subtracted from a pixel, which is from 0 to 1
 * @param deviation number by which the difference is divided; above 0
 */
public record ChannelScale(double mean, double deviation) implements Serializable {

  /**
   * Checks the numbers.
   *
   * @throws InvalidDataException if they are impossible
   */
  public ChannelScale {
    if (!Double.isFinite(mean) || !(deviation > 0) || Double.isInfinite(deviation)) {
      throw new InvalidDataException(
          "channel of mean %s, deviation %s: numbers and a deviation above 0 are needed"
              .formatted(mean, deviation));
    }
  }

  /**
   * Returns the scale of counted pixels. A constant channel is divided by 1.
   *
   * @param counts number of pixels with each value, from 0 to 255
   */
  static ChannelScale of(long[] counts) {
    long pixels = 0;
    long sum = 0;
    for (int value = 0; value < counts.length; value++) {
      pixels += counts[value];
      sum += counts[value] * value;
    }
    double mean = sum / (double) pixels;
    double squares = 0;
    for (int value = 0; value < counts.length; value++) {
      squares += counts[value] * (value - mean) * (value - mean);
    }
    // The deviation of exactly these pixels, not an estimate for others.
    double deviation = Math.sqrt(squares / pixels);
    return new ChannelScale(
        mean / PixelSamples.MAX_PIXEL, deviation > 0 ? deviation / PixelSamples.MAX_PIXEL : 1);
  }

  /** Returns the scaled value of a pixel. */
  float scaled(float pixel) {
    return (float) ((pixel - mean) / deviation);
  }
}
