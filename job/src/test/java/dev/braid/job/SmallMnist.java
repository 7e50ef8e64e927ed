package dev.braid.job;

import dev.braid.connectors.DataLocation;
import dev.braid.learner.Samples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The first tenth of MNIST's samples, in files of its format. It is for tests with several
 * processes, each of which reads the data and trains without the JVM's optimising compiler.
 */
public final class SmallMnist {

  /** Number of training samples. */
  public static final int SAMPLES = 6_000;

  public static final int TEST_SAMPLES = 1_000;

  private static final int SIDE = 28;
  private static final int GREATEST_PIXEL = 255;

  private SmallMnist() {}

  /** Returns the option that selects this data. */
  public static String option() {
    return "--data=" + folder();
  }

  /** Returns the folder of the data, which the first test that needs it creates. */
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

  /** Opener of samples. */
  private interface Opening {
    Samples open() throws IOException;
  }

  private static void write(Path folder, String part, int count, Opening opening)
      throws IOException {
    if (Files.exists(IdxFiles.labels(folder, part))) {
      return;
    }
    Samples samples = opening.open();
    byte[] pixels = new byte[count * SIDE * SIDE];
    byte[] labels = new byte[count];
    float[] image = new float[SIDE * SIDE];
    for (int i = 0; i < count; i++) {
      samples.copyFeatures(i, image, 0);
      for (int pixel = 0; pixel < image.length; pixel++) {
        pixels[i * image.length + pixel] = (byte) Math.round(image[pixel] * GREATEST_PIXEL);
      }
      labels[i] = (byte) samples.label(i);
    }
    IdxFiles.write(folder, part, SIDE, pixels, labels);
  }
}
