package dev.braid.connectors;

import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Images and labels of two IDX files. The pixels stay bytes, a quarter of what floats would take,
 * and are scaled from 0..255 to 0..1 when they are copied. Images that are mostly 0 are kept as
 * {@link SparseIdxSamples}.
 *
 * <p>Files of two dimensions are flat rows (sample, feature); of three, grey images (sample, row,
 * column); of four, images with channels (sample, channel, row, column).
 */
final class IdxSamples implements Samples {

  private static final int LEAST_DIMENSIONS = 2;
  private static final int MOST_DIMENSIONS = 4;

  private final byte[] pixels;
  private final byte[] labels;
  private final Shape shape;
  private final int features;
  private final float[] scaled = scaledPixels();

  private IdxSamples(byte[] pixels, byte[] labels, Shape shape) {
    this.pixels = pixels;
    this.labels = labels;
    this.shape = shape;
    this.features = shape.features();
  }

  /** A division rounds each of the 256 values correctly; a look-up costs less than it. */
  static float[] scaledPixels() {
    float[] scaled = new float[256];
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = i / 255f;
    }
    return scaled;
  }

  /**
   * Reads images and their labels.
   *
   * @param classes how many classes there are, or 0 for one more than the greatest label
   * @param classNames the label of each class; none for 0, 1, 2 …
   * @throws InvalidDataException if a file is malformed or the two do not fit
   */
  static Samples read(
      DataFile imageFile, DataFile labelFile, int classes, List<String> classNames) {
    IdxFile labels = readLabels(labelFile);
    IdxFile images = IdxFile.read(imageFile, LEAST_DIMENSIONS, MOST_DIMENSIONS);
    if (images.count() != labels.count()) {
      throw new InvalidDataException(
          imageFile.name()
              + ": "
              + images.count()
              + " images, but "
              + labels.count()
              + " labels in "
              + labelFile.name());
    }
    int known = classes > 0 ? classes : classes(labels);
    toClasses(labels, classNames.isEmpty() ? Labels.numbered(Math.min(known, 256)) : classNames);
    Shape shape = shape(images, known);
    return SparseIdxSamples.suit(images.content(), shape)
        ? SparseIdxSamples.of(images.content(), labels.content(), shape)
        : new IdxSamples(images.content(), labels.content(), shape);
  }

  /** Puts classes in the place of labels. */
  private static void toClasses(IdxFile labels, List<String> classNames) {
    Labels known = new Labels(classNames);
    byte[] content = labels.content();
    int[] classOf = IntStream.range(0, 256).map(known::classOf).toArray();
    for (int i = 0; i < labels.count(); i++) {
      int found = classOf[content[i] & 0xff];
      if (found < 0 || found > 0xff) {
        throw new InvalidDataException(
            "%s: label %d of sample %d: %s"
                .formatted(labels.name(), content[i] & 0xff, i, known.describe()));
      }
      content[i] = (byte) found;
    }
  }

  /** How many classes a file of labels has: one more than the greatest label. */
  static int readClasses(DataFile labelFile) {
    return classes(readLabels(labelFile));
  }

  /** What the images of a file look like, from its header alone. */
  static Shape readShape(DataFile imageFile, int classes) {
    return shape(IdxFile.readHeader(imageFile, LEAST_DIMENSIONS, MOST_DIMENSIONS), classes);
  }

  private static IdxFile readLabels(DataFile file) {
    return IdxFile.read(file, 1, 1);
  }

  private static int classes(IdxFile labels) {
    int greatest = 0;
    for (byte label : labels.content()) {
      greatest = Math.max(greatest, label & 0xff);
    }
    if (greatest == 0) {
      throw new InvalidDataException(
          labels.name() + ": every label is 0: at least 2 classes are needed");
    }
    return greatest + 1;
  }

  private static Shape shape(IdxFile images, int classes) {
    int[] sizes = images.sizes();
    return switch (sizes.length) {
      case 2 -> Shape.rows(sizes[1], classes);
      case 3 -> new Shape(1, sizes[1], sizes[2], classes);
      default -> new Shape(sizes[1], sizes[2], sizes[3], classes);
    };
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
    int from = id * features;
    for (int i = 0; i < features; i++) {
      into[offset + i] = scaled[pixels[from + i] & 0xff];
    }
  }

  @Override
  public int label(int id) {
    return labels[id] & 0xff;
  }
}
