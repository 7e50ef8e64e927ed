package dev.braid.connectors.image;

import dev.braid.connectors.file.InvalidDataException;
import java.io.Serializable;

/**
 * What makes a channel of images of mean 0 and standard deviation 1 over the training set.
 *
 * @param mean what is subtracted from a pixel, which is from 0 to 1
 * @param deviation what it is divided by then; above 0
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
   * That of pixels that were counted. A channel that is the same everywhere is divided by 1.
   *
   * @param counts how many pixels have each value, from 0 to 255
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
    // The deviation of these pixels, not an estimate of that of others.
    double deviation = Math.sqrt(squares / pixels);
    return new ChannelScale(
        mean / PixelSamples.MAX_PIXEL, deviation > 0 ? deviation / PixelSamples.MAX_PIXEL : 1);
  }

  /** What the sample gets for a pixel. */
  float scaled(float pixel) {
    return (float) ((pixel - mean) / deviation);
  }
}
