package dev.braid.job;

import dev.braid.connectors.DataLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** Tables of random points in two classes, separated by a line. */
final class Points {

  private static final int TEST_SAMPLES = 50;

  private Points() {}

  /** Writes training samples and test samples. */
  static DataLocation write(Path folder, int samples, int features) throws IOException {
    Path train = Files.writeString(folder.resolve("points.csv"), rows(samples, features, 1));
    Files.writeString(folder.resolve("points.test.csv"), rows(TEST_SAMPLES, features, 2));
    return DataLocation.of(train.toString()).withClasses(2);
  }

  private static String rows(int count, int features, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < count; i++) {
      double[] x = random.doubles(features, -1, 1).toArray();
      for (double value : x) {
        rows.append((float) value).append(',');
      }
      rows.append(x[0] > x[1] ? 0 : 1).append('\n');
    }
    return rows.toString();
  }
}
