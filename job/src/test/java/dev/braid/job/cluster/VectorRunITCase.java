package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.braid.job.IdxFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A convolutional network trained as for users: in a JVM with its optimising compiler, which other
 * tests disable, and thus with Java's vectors once they are compiled. {@code
 * MatricesOfOtherJvmsTest} shows without training that products have the same bits in such JVMs.
 */
@Tag("long")
class VectorRunITCase {

  private static final String EXPORTS = "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED";

  /**
   * Log of a run with vectors. They are compiled while the job starts, or at least well before a
   * worker ends.
   */
  private static final String IN_VECTORS =
      "(?s)Products of matrices are computed in vectors of (\\d+).*Worker.* to FINISHED";

  private static final int SIDE = 12;
  private static final int CLASSES = 3;

  /** Enough samples for training to continue for seconds after vectors are compiled. */
  private static final int TRAIN = 3000;

  private static final int EPOCHS = 8;

  @TempDir private Path folder;

  @BeforeEach
  void writeImages() throws IOException {
    write("train", TRAIN, new SplittableRandom(1));
    write("t10k", 100, new SplittableRandom(2));
  }

  @Test
  void bitsAreTheSame_withVectorsOfAnyLength() throws Exception {
    Path processors = Path.of("/proc/cpuinfo");
    assumeTrue(Files.exists(processors) && Files.readString(processors).contains(" avx2 "));
    assertThat(train("longest")).isEqualTo(train("avx2", "-XX:UseAVX=2"));
    assertThat(lanes("avx2")).isEqualTo(8);
    assertThat(lanes("longest")).isGreaterThanOrEqualTo(8);
  }

  /** Trains and returns the digest. */
  private String train(String name, String... options) throws Exception {
    BraidProcess run =
        BraidProcess.startOptimised(
            Stream.concat(Stream.of(EXPORTS), Stream.of(options)).toList(),
            folder.resolve(name + ".log"),
            "train",
            "--data=" + folder.resolve("images"),
            "--model=cnn",
            "--workers=2",
            "--batch=50",
            "--epochs=" + EPOCHS,
            "--out=" + folder.resolve(name));
    assertThat(run.awaitEnd()).as(run::output).isZero();
    assertThat(run.output()).contains("identical: yes (2 of 2)");
    return ClusterRun.digest(run.output());
  }

  /** Returns the length of the vectors with which a run computed. */
  private int lanes(String name) throws IOException {
    String log = Files.readString(folder.resolve(name).resolve("braid.log"));
    return Integer.parseInt(ClusterRun.group(log, IN_VECTORS));
  }

  /** Writes images of noise; each class is brighter in another third of the image. */
  private void write(String part, int count, SplittableRandom random) throws IOException {
    byte[] pixels = new byte[count * SIDE * SIDE];
    byte[] labels = new byte[count];
    for (int i = 0; i < count; i++) {
      int label = random.nextInt(CLASSES);
      labels[i] = (byte) label;
      for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        int third = pixel * CLASSES / (SIDE * SIDE);
        int brightness = random.nextInt(128) + (third == label ? 60 : 0);
        pixels[i * SIDE * SIDE + pixel] = (byte) brightness;
      }
    }
    Path data = Files.createDirectories(folder.resolve("images"));
    IdxFiles.write(data, part, SIDE, pixels, labels);
  }
}
