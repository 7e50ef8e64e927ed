package dev.braid.connectors;

import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Images and labels of two IDX files. The pixels stay bytes, a quarter of what floats would take,
 * and are scaled from 0..255 to 0..1 when they are copied.
 *
 * <p>Files of two dimensions are flat rows (sample, feature); of three, grey images (sample, row,
 * column); of four, images with channels (sample, channel, row, column).
 */
final class IdxSamples implements Samples {

  private static final int LEAST_DIMENSIONS = 2;
  private static final int MOST_DIMENSIONS = 4;

  /** Pixels that are 0 come in runs, which are skipped eight at a time. */
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final byte[] pixels;
  private final byte[] labels;
  private final Shape shape;
  private final int features;
  // A division rounds each of the 256 values correctly; a look-up costs less than it.
  private final float[] scaled = new float[256];

  private IdxSamples(byte[] pixels, byte[] labels, Shape shape) {
    this.pixels = pixels;
    this.labels = labels;
    this.shape = shape;
    this.features = shape.features();
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = i / 255f;
    }
  }

  /**
   * Reads images and their labels.
   *
   * @param classes how many classes there are, or 0 for one more than the greatest label
   * @throws InvalidDataException if a file is malformed or the two do not fit
   */
  static IdxSamples read(DataFile imageFile, DataFile labelFile, int classes) {
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
    for (int i = 0; i < labels.count(); i++) {
      int label = labels.content()[i] & 0xff;
      if (label >= known) {
        throw new InvalidDataException(
            labelFile.name()
                + ": label "
                + label
                + " of sample "
                + i
                + ": 0 to "
                + (known - 1)
                + " are the labels of "
                + known
                + " classes");
      }
    }
    return new IdxSamples(images.content(), labels.content(), shape(images, known));
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
  public int copyNonZero(int id, int[] columns, float[] values, int offset) {
    int from = id * features;
    int end = offset;
    int i = 0;
    while (i < features) {
      if (i + Long.BYTES <= features && (long) EIGHT.get(pixels, from + i) == 0) {
        i += Long.BYTES;
        continue;
      }
      // Each is written, and the next one over it if it is 0: no branch that cannot be foreseen.
      for (int next = Math.min(i + Long.BYTES, features); i < next; i++) {
        int pixel = pixels[from + i] & 0xff;
        columns[end] = i;
        values[end] = scaled[pixel];
        end += (pixel + 255) >> Byte.SIZE;
      }
    }
    return end - offset;
  }

  @Override
  public int label(int id) {
    return labels[id] & 0xff;
  }
}
