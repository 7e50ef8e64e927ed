package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A convolutional network trained as users train it: in a JVM with its optimising compiler, which
 * tests do without elsewhere, and so in Java's vectors, from the moment that they are compiled.
 */
class VectorRunITCase {

  private static final String EXPORTS = "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED";

  /** They are ready while the job begins, or at least well before a worker ends. */
  private static final String IN_VECTORS =
      "(?s)Products of matrices are computed in vectors of (\\d+).*Worker.* to FINISHED";

  private static final int SIDE = 12;
  private static final int CLASSES = 3;

  /** So many that training goes on for seconds after vectors are compiled. */
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

  /** The digest of what is trained. */
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

  /** How long the vectors were in which a run computed. */
  private int lanes(String name) throws IOException {
    String log = Files.readString(folder.resolve(name).resolve("braid.log"));
    return Integer.parseInt(ClusterRun.group(log, IN_VECTORS));
  }

  /** Noise that is brighter in another third of the image for each class, in MNIST's format. */
  private void write(String part, int count, SplittableRandom random) throws IOException {
    ByteBuffer images = ByteBuffer.allocate(4 * Integer.BYTES + count * SIDE * SIDE);
    images.putInt(0x0803).putInt(count).putInt(SIDE).putInt(SIDE);
    ByteBuffer labels = ByteBuffer.allocate(2 * Integer.BYTES + count);
    labels.putInt(0x0801).putInt(count);
    for (int i = 0; i < count; i++) {
      int label = random.nextInt(CLASSES);
      labels.put((byte) label);
      for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
        int third = pixel * CLASSES / (SIDE * SIDE);
        images.put((byte) (random.nextInt(128) + (third == label ? 60 : 0)));
      }
    }
    Path data = Files.createDirectories(folder.resolve("images"));
    Files.write(data.resolve(part + "-images-idx3-ubyte"), images.array());
    Files.write(data.resolve(part + "-labels-idx1-ubyte"), labels.array());
  }
}
