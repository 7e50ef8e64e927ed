package dev.braid.job;

import dev.braid.connectors.DataLocation;
import dev.braid.learner.Samples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The first samples of MNIST, a tenth of all, in files of its format: for tests of processes, each
 * of which reads the data, and trains without the JVM's optimising compiler.
 */
public final class SmallMnist {

  /** Samples to train with. */
  public static final int SAMPLES = 6_000;

  public static final int TEST_SAMPLES = 1_000;

  private static final int SIDE = 28;
  private static final int GREATEST_PIXEL = 255;

  private SmallMnist() {}

  /** Returns the option by which a run has it. */
  public static String option() {
    return "--data=" + folder();
  }

  /** Returns its folder, which is made by the first test that needs it. */
  private static Path folder() {
    Path folder = Path.of("target", "small", "mnist").toAbsolutePath();
    try {
      Files.createDirectories(folder);
      DataLocation mnist = DataLocation.of(DataLocation.MNIST);
      write(folder, "t10k", TEST_SAMPLES, mnist::openTest);
      write(folder, "train", SAMPLES, mnist::openTrain);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Opens samples. */
  private interface Opening {
    Samples open() throws IOException;
  }

  private static void write(Path folder, String part, int count, Opening opening)
      throws IOException {
    Path labelFile = folder.resolve(part + "-labels-idx1-ubyte");
    Path imageFile = folder.resolve(part + "-images-idx3-ubyte");
    if (Files.exists(labelFile) && Files.exists(imageFile)) {
      return;
    }
    Samples samples = opening.open();
    ByteBuffer images = ByteBuffer.allocate(4 * Integer.BYTES + count * SIDE * SIDE);
    images.putInt(0x0803).putInt(count).putInt(SIDE).putInt(SIDE);
    ByteBuffer labels = ByteBuffer.allocate(2 * Integer.BYTES + count);
    labels.putInt(0x0801).putInt(count);
    float[] image = new float[SIDE * SIDE];
    for (int i = 0; i < count; i++) {
      samples.copyFeatures(i, image, 0);
      for (float pixel : image) {
        images.put((byte) Math.round(pixel * GREATEST_PIXEL));
      }
      labels.put((byte) samples.label(i));
    }
    writeWhole(imageFile, images.array());
    writeWhole(labelFile, labels.array());
  }

  /** Another JVM's tests may do the same. */
  private static void writeWhole(Path file, byte[] bytes) throws IOException {
    Path part = Files.createTempFile(file.getParent(), "small", ".part");
    Files.write(part, bytes);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
