package dev.braid.connectors.image;

import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import java.util.List;

/**
 * Images and labels in memory. The pixels are stored as bytes. When they are copied, they are
 * scaled from 0..255 to 0..1, and normalised if so configured. Images that are mostly 0 are stored
 * as {@link SparsePixelSamples} instead.
 */
final class PixelSamples implements Samples {

  /** The greatest value of a pixel, by which all pixels are divided. */
  static final float MAX_PIXEL = 255;

  private static final int VALUES = 256;

  private final byte[] pixels;
  private final int[] labels;
  private final Shape shape;
  private final int plane;

  /** The scaled number of each value of a pixel, for each channel. */
  private final float[][] scaled;

  /**
   * @param scales the scale of each channel; empty if nothing is normalised
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

  /**
   * Returns the scaled numbers of the 256 values. A division rounds each correctly; a look-up is
   * faster than a division.
   */
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

  /** Returns a checksum of the pixels as they were read; scales are compared separately. */
  @Override
  public int checksum() {
    return Pixels.checksum(pixels, labels, shape);
  }

  /**
   * Copies an image that is shifted and then flipped; pixels from outside the image are black.
   *
   * @param down number of rows by which the copied part begins below the image's first row
   * @param right number of columns by which it begins right of the image's first column
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
