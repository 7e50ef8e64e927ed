package dev.braid.connectors;

/**
 * A decoded image.
 *
 * @param channels 1 for grey, or 3 for red, green, blue
 * @param planes channel after channel, row after row, one byte per pixel
 */
record Picture(int channels, int height, int width, byte[] planes) {

  static final int GREY = 1;
  static final int COLOUR = 3;

  /** Weights of the colours in the lightness (ITU-R BT.601), in thousandths. */
  private static final int RED = 299;

  private static final int GREEN = 587;
  private static final int BLUE = 114;

  /** Returns this image in grey, or in colours, which are shades of grey if it has none. */
  Picture with(int wantedChannels) {
    if (wantedChannels == channels) {
      return this;
    }
    int plane = height * width;
    byte[] other = new byte[wantedChannels * plane];
    for (int i = 0; i < plane; i++) {
      if (wantedChannels == GREY) {
        other[i] = (byte) Math.round(light(i, plane) / 1000f);
      } else {
        for (int channel = 0; channel < wantedChannels; channel++) {
          other[channel * plane + i] = planes[i];
        }
      }
    }
    return new Picture(wantedChannels, height, width, other);
  }

  private int light(int i, int plane) {
    return RED * (planes[i] & 0xff)
        + GREEN * (planes[plane + i] & 0xff)
        + BLUE * (planes[2 * plane + i] & 0xff);
  }

  /**
   * Returns this image scaled to these sides, without keeping their proportion. Enlarging is
   * bilinear between the pixels' centres. For reducing, each pixel is a mean over all pixels that
   * it covers, weighted by a triangle that extends to its neighbours' centres. Rows are scaled
   * first, then columns, and sums have a fixed order, so that the bits are the same on every
   * machine.
   */
  Picture resized(int rows, int columns) {
    if (rows == height && columns == width) {
      return this;
    }
    Weights across = Weights.of(width, columns);
    Weights down = Weights.of(height, rows);
    byte[] result = new byte[channels * rows * columns];
    float[] narrow = new float[height * columns];
    for (int channel = 0; channel < channels; channel++) {
      for (int y = 0; y < height; y++) {
        int row = (channel * height + y) * width;
        for (int x = 0; x < columns; x++) {
          narrow[y * columns + x] = across.sum(x, i -> planes[row + i] & 0xff);
        }
      }
      for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
          int column = x;
          float sum = down.sum(y, i -> narrow[i * columns + column]);
          result[(channel * rows + y) * columns + x] = (byte) Math.round(sum);
        }
      }
    }
    return new Picture(channels, rows, columns, result);
  }

  /**
   * The old pixels that each new pixel consists of, along one side.
   *
   * @param first index of the first old pixel, for each new one
   * @param weights weights of the old pixels, which add up to 1
   */
  private record Weights(int[] first, float[][] weights) {

    private interface Line {
      float at(int i);
    }

    static Weights of(int from, int to) {
      double scale = (double) from / to;
      double reach = Math.max(1, scale);
      int[] first = new int[to];
      float[][] weights = new float[to][];
      for (int i = 0; i < to; i++) {
        double centre = (i + 0.5) * scale;
        first[i] = Math.max(0, (int) Math.floor(centre - reach));
        int end = Math.min(from, (int) Math.ceil(centre + reach));
        weights[i] = triangle(first[i], end - first[i], centre, reach);
      }
      return new Weights(first, weights);
    }

    private static float[] triangle(int first, int count, double centre, double reach) {
      double[] heights = new double[count];
      double sum = 0;
      for (int i = 0; i < count; i++) {
        heights[i] = Math.max(0, 1 - Math.abs(first + i + 0.5 - centre) / reach);
        sum += heights[i];
      }
      float[] weights = new float[count];
      for (int i = 0; i < count; i++) {
        weights[i] = (float) (heights[i] / sum);
      }
      return weights;
    }

    float sum(int i, Line line) {
      float[] of = weights[i];
      float sum = 0;
      for (int k = 0; k < of.length; k++) {
        sum += of[k] * line.at(first[i] + k);
      }
      return sum;
    }
  }
}
