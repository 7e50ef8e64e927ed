package dev.braid.connectors.image;

import dev.braid.learner.Features;
import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import java.util.Arrays;
import java.util.Optional;

/**
 * Images that are mostly 0, such as those of digits: the positions and values of the pixels that
 * are not 0. They are searched for once, when the file is read, instead of in each epoch. They take
 * three bytes each, less memory than all pixels.
 */
final class SparsePixelSamples implements Samples {

  private static final int MOST_FEATURES = Character.MAX_VALUE + 1;

  /**
   * Index in the other arrays at which each image begins, and the index after the last image's end.
   */
  private final int[] starts;

  private final char[] columns;
  private final byte[] pixels;
  private final int[] labels;
  private final Shape shape;
  private final int checksum;
  private final float[] scaled = PixelSamples.scaledPixels();

  private SparsePixelSamples(
      int[] starts, char[] columns, byte[] pixels, int[] labels, Shape shape, int checksum) {
    this.starts = starts;
    this.columns = columns;
    this.pixels = pixels;
    this.labels = labels;
    this.shape = shape;
    this.checksum = checksum;
  }

  /**
   * Returns the images and their labels, if so few pixels are not 0 that learners use the sparse
   * form.
   *
   * @param allPixels image after image; not used after the call
   * @param labels one for each image; not copied
   */
  static Optional<SparsePixelSamples> ifSuited(byte[] allPixels, int[] labels, Shape shape) {
    if (shape.features() > MOST_FEATURES) {
      return Optional.empty();
    }
    int count = NonZeroBytes.count(allPixels);
    return count <= Features.MOST_DENSITY * allPixels.length
        ? Optional.of(of(allPixels, count, labels, shape))
        : Optional.empty();
  }

  private static SparsePixelSamples of(byte[] allPixels, int count, int[] labels, Shape shape) {
    int features = shape.features();
    int[] starts = new int[labels.length + 1];
    NonZeroBytes found = new NonZeroBytes(count);
    for (int id = 0; id < labels.length; id++) {
      found.add(allPixels, id * features, features);
      starts[id + 1] = found.size();
    }
    return new SparsePixelSamples(
        starts,
        found.columns(),
        found.bytes(),
        labels,
        shape,
        Pixels.checksum(allPixels, labels, shape));
  }

  @Override
  public int size() {
    return labels.length;
  }

  @Override
  public Shape shape() {
    return shape;
  }

  /** Returns a checksum of all pixels, as they were read. */
  @Override
  public int checksum() {
    return checksum;
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
