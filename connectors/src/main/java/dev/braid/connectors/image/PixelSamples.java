package dev.braid.connectors.image;

import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import java.util.List;

/**
 * Images and labels in memory. The pixels stay bytes, and are scaled from 0..255 to 0..1, and
 * normalised where that is asked for, when they are copied. Images that are mostly 0 are kept as
 * {@link SparsePixelSamples}.
 */
final class PixelSamples implements Samples {

  /** The greatest value of a pixel, by which all are divided. */
  static final float MAX_PIXEL = 255;

  private static final int VALUES = 256;

  private final byte[] pixels;
  private final int[] labels;
  private final Shape shape;
  private final int plane;

  /** What each value of a pixel becomes, for each channel. */
  private final float[][] scaled;

  /**
   * @param scales of each channel; none if nothing is normalised
   */
  PixelSamples(Pixels images, List<ChannelScale> scales) {
    this.pixels = images.content();
    this.labels = images.labels();
    this.shape = images.shape();
    this.plane = shape.height() * shape.width();
    this.scaled = new float[shape.channels()][];
    for (int channel = 0; channel < scaled.length; channel++) {
      scaled[channel] = scaledPixels();
      for (int value = 0; value < VALUES && !scales.isEmpty(); value++) {
        scaled[channel][value] = scales.get(channel).scaled(scaled[channel][value]);
      }
    }
  }

  /** A division rounds each of the 256 values correctly; a look-up costs less than it. */
  static float[] scaledPixels() {
    float[] scaled = new float[VALUES];
    for (int value = 0; value < VALUES; value++) {
      scaled[value] = value / MAX_PIXEL;
    }
    return scaled;
  }

  @Override
  public int size() {
    return labels.length;
  }

  @Override
  public Shape shape() {
    return shape;
  }

  @Override
  public void copyFeatures(int id, float[] into, int offset) {
    for (int channel = 0; channel < scaled.length; channel++) {
      float[] values = scaled[channel];
      int from = id * shape.features() + channel * plane;
      int to = offset + channel * plane;
      for (int i = 0; i < plane; i++) {
        into[to + i] = values[pixels[from + i] & 0xff];
      }
    }
  }

  /** Returns a checksum of the pixels as they were read, as their scales are compared apart. */
  @Override
  public int checksum() {
    return Pixels.checksum(pixels, labels, shape);
  }

  /**
   * Copies an image that is moved, and flipped after that; what comes in from outside is black.
   *
   * @param down by how many rows the part that is taken lies below the image's first
   * @param right by how many columns it lies to the right
   */
  void copyMoved(int id, int down, int right, boolean flip, float[] into, int offset) {
    int height = shape.height();
    int width = shape.width();
    for (int channel = 0; channel < scaled.length; channel++) {
      float[] values = scaled[channel];
      int from = id * shape.features() + channel * plane;
      int to = offset + channel * plane;
      for (int y = 0; y < height; y++) {
        int row = from + (y + down) * width;
        boolean inside = y + down >= 0 && y + down < height;
        for (int x = 0; x < width; x++) {
          int column = (flip ? width - 1 - x : x) + right;
          boolean black = !inside || column < 0 || column >= width;
          into[to + y * width + x] = values[black ? 0 : pixels[row + column] & 0xff];
        }
      }
    }
  }

  @Override
  public int label(int id) {
    return labels[id];
  }
}
