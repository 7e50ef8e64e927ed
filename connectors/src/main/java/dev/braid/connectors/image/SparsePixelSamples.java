package dev.braid.connectors.image;

import dev.braid.learner.Features;
import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import java.util.Arrays;

/**
 * Images that are mostly 0, as those of digits are: of each, which pixels are not 0, and these.
 * They are looked for once, when the file is read, and not again in each epoch; and take three
 * bytes each, less than all pixels would.
 */
final class SparsePixelSamples implements Samples {

  private static final int MOST_FEATURES = Character.MAX_VALUE + 1;

  /** Where each image's begin in the other arrays; and where the last one's end. */
  private final int[] starts;

  private final char[] columns;
  private final byte[] pixels;
  private final int[] labels;
  private final Shape shape;
  private final float[] scaled = PixelSamples.scaledPixels();

  private SparsePixelSamples(
      int[] starts, char[] columns, byte[] pixels, int[] labels, Shape shape) {
    this.starts = starts;
    this.columns = columns;
    this.pixels = pixels;
    this.labels = labels;
    this.shape = shape;
  }

  /** Whether so few of the pixels are not 0 that learners want those alone. */
  static boolean suit(byte[] allPixels, Shape shape) {
    return shape.features() <= MOST_FEATURES
        && countNonZero(allPixels) <= Features.MOST_DENSITY * allPixels.length;
  }

  private static int countNonZero(byte[] allPixels) {
    int count = 0;
    for (byte pixel : allPixels) {
      count += isNonZero(pixel);
    }
    return count;
  }

  /** 1 or 0, without a branch that cannot be foreseen. */
  private static int isNonZero(byte pixel) {
    return ((pixel & 0xff) + 255) >> Byte.SIZE;
  }

  /**
   * Images and their labels.
   *
   * @param allPixels image after image; not needed any more
   * @param labels one for each image; not copied
   */
  static SparsePixelSamples of(byte[] allPixels, int[] labels, Shape shape) {
    int features = shape.features();
    int count = countNonZero(allPixels);
    int[] starts = new int[labels.length + 1];
    // Each is written, and the next one over it if it is 0: so there is room for one more.
    char[] columns = new char[count + 1];
    byte[] pixels = new byte[count + 1];
    int end = 0;
    for (int id = 0; id < labels.length; id++) {
      for (int i = 0; i < features; i++) {
        byte pixel = allPixels[id * features + i];
        columns[end] = (char) i;
        pixels[end] = pixel;
        end += isNonZero(pixel);
      }
      starts[id + 1] = end;
    }
    return new SparsePixelSamples(starts, columns, pixels, labels, shape);
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
    Arrays.fill(into, offset, offset + shape.features(), 0);
    for (int i = starts[id]; i < starts[id + 1]; i++) {
      into[offset + columns[i]] = scaled[pixels[i] & 0xff];
    }
  }

  @Override
  public int copyNonZero(int id, int[] intoColumns, float[] intoValues, int offset) {
    int start = starts[id];
    int count = starts[id + 1] - start;
    for (int i = 0; i < count; i++) {
      intoColumns[offset + i] = columns[start + i];
      intoValues[offset + i] = scaled[pixels[start + i] & 0xff];
    }
    return count;
  }

  @Override
  public int label(int id) {
    return labels[id];
  }
}
