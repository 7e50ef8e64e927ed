package dev.braid.bench;

import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** MNIST's gzipped IDX files, read as they are; pixels from 0 to 1. */
final class IdxSamples implements Samples {

  private static final int IMAGES_MAGIC = 0x803;
  private static final int LABELS_MAGIC = 0x801;

  private final Shape shape;
  private final byte[] pixels;
  private final byte[] labels;

  private IdxSamples(Shape shape, byte[] pixels, byte[] labels) {
    this.shape = shape;
    this.pixels = pixels;
    this.labels = labels;
  }

  static IdxSamples training(Path folder) throws IOException {
    return read(folder, "train");
  }

  static IdxSamples test(Path folder) throws IOException {
    return read(folder, "t10k");
  }

  private static IdxSamples read(Path folder, String prefix) throws IOException {
    Path images = folder.resolve(prefix + "-images-idx3-ubyte.gz");
    Path labels = folder.resolve(prefix + "-labels-idx1-ubyte.gz");
    try (DataInputStream in = open(images, IMAGES_MAGIC);
        DataInputStream labelsIn = open(labels, LABELS_MAGIC)) {
      int count = in.readInt();
      Shape shape = new Shape(1, in.readInt(), in.readInt(), 10);
      int labelCount = labelsIn.readInt();
      if (labelCount != count) {
        throw new IOException(labels + ": " + labelCount + " labels for " + count + " images");
      }
      byte[] pixels = new byte[count * shape.features()];
      in.readFully(pixels);
      byte[] classes = new byte[count];
      labelsIn.readFully(classes);
      return new IdxSamples(shape, pixels, classes);
    }
  }

  private static DataInputStream open(Path file, int magic) throws IOException {
    DataInputStream in = new DataInputStream(new GZIPInputStream(Files.newInputStream(file)));
    int found = in.readInt();
    if (found != magic) {
      in.close();
      throw new IOException(file + ": begins with " + found + ", not with " + magic);
    }
    return in;
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
    int width = shape.features();
    for (int i = 0; i < width; i++) {
      into[offset + i] = (pixels[id * width + i] & 0xff) / 255f;
    }
  }

  @Override
  public int label(int id) {
    return labels[id];
  }
}
