package dev.braid.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.Features;
import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxDataTest {

  private static final String TRAIN_IMAGES = "train-images-idx3-ubyte";
  private static final String TRAIN_LABELS = "train-labels-idx1-ubyte";
  private static final String TEST_IMAGES = "t10k-images-idx3-ubyte";
  private static final String TEST_LABELS = "t10k-labels-idx1-ubyte";
  private static final byte[] IMAGES = idx(new int[] {2, 1, 3}, 0, 51, 255, 1, 2, 3);
  private static final byte[] LABELS = idx(new int[] {2}, 0, 2);

  @TempDir Path folder;

  @BeforeEach
  void writeValidData() throws IOException {
    write(TRAIN_IMAGES, IMAGES);
    write(TRAIN_LABELS, LABELS);
    write(TEST_IMAGES, IMAGES);
    write(TEST_LABELS, LABELS);
  }

  @Test
  void theDataOnTheClassPathIsMnist() {
    DataLocation mnist = DataLocation.of("mnist");
    Samples train = mnist.openTrain();
    Samples test = mnist.openTest();
    DataLocation.Contents contents = mnist.check();
    assertThat(contents.shape()).isEqualTo(train.shape()).isEqualTo(new Shape(1, 28, 28, 10));
    assertThat(contents.train().samples()).isEqualTo(train.size()).isEqualTo(60_000);
    assertThat(contents.test().samples()).isEqualTo(test.size()).isEqualTo(10_000);
    assertThat(contents.isSparse())
        .isEqualTo(Features.of(train, IntStream.range(0, 100).toArray()).isSparse());
    Integer[] counts = Collections.nCopies(10, 0).toArray(new Integer[0]);
    for (int id = 0; id < train.size(); id++) {
      counts[train.label(id)]++;
    }
    assertThat(contents.train().classCounts()).containsExactly(counts);
    assertThat(contents.location().classNames()).hasSize(10).startsWith("0", "1");
    assertThat(train.label(0)).isEqualTo(5);
    assertThat(test.label(0)).isEqualTo(7);
    float[] first = train.batch(0, new int[] {0}, false).features().toArray();
    double sum = 0;
    for (float pixel : first) {
      sum += pixel;
    }
    assertThat(sum).isBetween(107.9, 108.1);
  }

  @Test
  void featuresThatAreNot0_areThoseOfAll() {
    Samples train = DataLocation.of("mnist").openTrain();
    float[] row = new float[784];
    int[] columns = new int[2 * 784];
    float[] values = new float[2 * 784];
    for (int id = 0; id < 1_000; id++) {
      train.copyFeatures(id, row, 0);
      float[] back = new float[784];
      int count = train.copyNonZero(id, columns, values, id % 7);
      for (int i = id % 7; i < id % 7 + count; i++) {
        back[columns[i]] = values[i];
        assertThat(values[i]).isPositive();
      }
      assertThat(back).isEqualTo(row);
    }
  }

  /** Features are stored in one of two forms, depending on the share of those that are not 0. */
  @Test
  void anyShareOfFeaturesMayBeOtherThan0() throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    for (int percent = 0; percent <= 100; percent += 10) {
      int[] pixels = new int[50 * 30];
      for (int i = 0; i < pixels.length; i++) {
        pixels[i] = random.nextInt(100) < percent ? 1 + random.nextInt(255) : 0;
      }
      write(TRAIN_IMAGES, idx(new int[] {50, 5, 6}, pixels));
      write(TRAIN_LABELS, idx(new int[] {50}, IntStream.range(0, 50).map(i -> i % 3).toArray()));
      Samples samples = location().openTrain();
      float[] row = new float[32];
      Arrays.fill(row, 9);
      int[] columns = new int[30];
      float[] values = new float[30];
      for (int id = 0; id < 50; id++) {
        samples.copyFeatures(id, row, 1);
        int count = samples.copyNonZero(id, columns, values, 0);
        int next = 0;
        for (int i = 0; i < 30; i++) {
          assertThat(row[1 + i]).isEqualTo(pixels[id * 30 + i] / 255f);
          if (row[1 + i] != 0) {
            assertThat(columns[next]).isEqualTo(i);
            assertThat(values[next++]).isEqualTo(row[1 + i]);
          }
        }
        assertThat(count).isEqualTo(next);
        assertThat(samples.label(id)).isEqualTo(id % 3);
      }
      assertThat(row[0]).isEqualTo(9);
      assertThat(row[31]).isEqualTo(9);
    }
  }

  @Test
  void pixelsAreScaled() {
    Samples samples = location().openTrain();
    assertThat(location().check().shape()).isEqualTo(new Shape(1, 1, 3, 3));
    assertThat(location().check().train().classCounts()).containsExactly(1, 0, 1);
    assertThat(location().check().test().samples()).isEqualTo(2);
    float[] into = new float[5];
    samples.copyFeatures(0, into, 1);
    assertThat(into).containsExactly(0, 0, 0.2f, 1, 0);
    assertThat(samples.label(1)).isEqualTo(2);
  }

  @Test
  void otherSpellingsGzipAndDimensionsOpen() throws IOException {
    for (String name : new String[] {TRAIN_IMAGES, TRAIN_LABELS, TEST_IMAGES, TEST_LABELS}) {
      Files.delete(folder.resolve(name));
    }
    write("train-images.idx4-ubyte.gz", gzip(idx(new int[] {1, 3, 1, 2}, 1, 2, 3, 4, 5, 6)));
    write("train-labels.idx1-ubyte", idx(new int[] {1}, 1));
    write("t10k-images-idx4-ubyte", gzip(idx(new int[] {1, 3, 1, 2}, 1, 2, 3, 4, 5, 6)));
    write("t10k-labels-idx1-ubyte.gz", gzip(idx(new int[] {1}, 0)));
    assertThat(location().withClasses(2).check().shape()).isEqualTo(new Shape(3, 1, 2, 2));
  }

  @Test
  void flatRowsOpen() throws IOException {
    for (String set : new String[] {"train", "t10k"}) {
      Files.delete(folder.resolve(set + "-images-idx3-ubyte"));
      write(set + "-images-idx2-ubyte", idx(new int[] {2, 3}, 1, 2, 3, 4, 5, 6));
    }
    assertThat(location().check().shape()).isEqualTo(Shape.rows(3, 3));
  }

  @Test
  void missingFiles() throws IOException {
    Files.delete(folder.resolve(TEST_LABELS));
    rejects("no file t10k-labels-idx1-ubyte");
    fails(DataLocation.of(folder.resolve("none").toString())::check, "no such file or folder");
  }

  @Test
  void truncatedHeadersAndBodies() throws IOException {
    for (int length = 0; length < IMAGES.length; length++) {
      write(TRAIN_IMAGES, Arrays.copyOf(IMAGES, length));
      rejects("train-images-idx3-ubyte: truncated");
      write(TRAIN_IMAGES, gzip(Arrays.copyOf(IMAGES, length)));
      rejects("train-images-idx3-ubyte: truncated");
    }
  }

  @Test
  void trailingBytes() throws IOException {
    write(TRAIN_LABELS, Arrays.copyOf(LABELS, LABELS.length + 1));
    rejects("bytes after the end: the header 2 means 2 bytes");
  }

  @Test
  void wrongMagic() throws IOException {
    write(TRAIN_IMAGES, LABELS);
    rejects("starts with 0x00000801: IDX images start with 0x00000802 to 0x00000804");
    write(TRAIN_IMAGES, IMAGES);
    byte[] floats = LABELS.clone();
    floats[2] = 0x0d;
    write(TRAIN_LABELS, floats);
    rejects("starts with 0x00000d01: IDX labels start with 0x00000801");
  }

  @Test
  void countsThatDiffer() throws IOException {
    write(TRAIN_LABELS, idx(new int[] {3}, 0, 1, 2));
    rejects("2 images, but 3 labels");
  }

  @Test
  void labelsOutsideTheClasses() throws IOException {
    fails(location().withClasses(2)::check, "label 2 of sample 1: 0 to 1 are the labels");
    write(TEST_LABELS, idx(new int[] {2}, 0, 3));
    rejects("t10k-labels-idx1-ubyte: label 3 of sample 1: 0 to 2");
    write(TRAIN_LABELS, idx(new int[] {2}, 0, 0));
    fails(location().withClasses(0)::check, "every label is 0");
    fails(() -> location().withClasses(1), "1 classes");
  }

  @Test
  void labelsThatAreLikelyNoClasses() throws IOException {
    fails(
        location().withClasses(0)::check, "no training sample of class 1: give 'classes: 0,2' if");
    write(TRAIN_LABELS, idx(new int[] {2}, 0, 1));
    write(TEST_LABELS, idx(new int[] {2}, 0, 1));
    assertThat(location().withClasses(0).check().shape().classes()).isEqualTo(2);
    int[] labels = IntStream.range(0, 40).map(i -> 1 + i % 3).toArray();
    write(TRAIN_IMAGES, idx(new int[] {40, 1, 3}, new int[120]));
    write(TRAIN_LABELS, idx(new int[] {40}, labels));
    write(TEST_LABELS, idx(new int[] {2}, 1, 3));
    fails(
        location().withClasses(0)::check,
        "no training sample of class 0: give 'classes: 1,2,3' if these are all, or 'classes: 4'");
    DataLocation.Contents named = location().withClassNames(List.of("1", "2", "3")).check();
    assertThat(named.shape().classes()).isEqualTo(3);
    assertThat(named.train().classCounts()).containsExactly(14, 13, 13);
    assertThat(named.location().openTest().label(1)).isEqualTo(2);
    assertThat(location().withClasses(4).check().train().classCounts())
        .containsExactly(0, 14, 13, 13);
    fails(
        location().withClassNames(List.of("1", "2"))::check,
        "label 3 of sample 2: the labels are 1, 2");
  }

  /** A file of a few hundred bytes must not allocate memory for a whole data set. */
  @Test
  void gzipThatPromisesMoreThanAnyDataSetHas() throws IOException {
    int side = 10_000;
    byte[] zeros = new byte[16 + side * side];
    ByteBuffer.wrap(zeros).putInt(0x803).putInt(1).putInt(side).putInt(side);
    write(TRAIN_IMAGES, gzip(zeros));
    rejects("truncated, or the header is wrong: 1x10000x10000 bytes cannot be in a file of");
  }

  /** A file with one changed byte is either read or rejected with a message of one line. */
  @Test
  void anyChangedByteIsReadOrRefused() throws IOException {
    for (String name : new String[] {TRAIN_IMAGES, TRAIN_LABELS, TEST_IMAGES, TEST_LABELS}) {
      byte[] whole = Files.readAllBytes(folder.resolve(name));
      for (int i = 0; i < whole.length; i++) {
        for (int bits : new int[] {0x01, 0x80, 0xff}) {
          byte[] changed = whole.clone();
          changed[i] ^= (byte) bits;
          write(name, changed);
          try {
            location().check();
          } catch (InvalidDataException e) {
            assertThat(e.getMessage()).doesNotContain("\n");
          }
        }
      }
      write(name, whole);
    }
    assertThat(location().check().train().samples()).isEqualTo(2);
  }

  @Test
  void noSamples() throws IOException {
    write(TRAIN_IMAGES, idx(new int[] {0, 1, 3}));
    rejects("no samples");
  }

  @Test
  void absurdDimensionsAllocateNothing() throws IOException {
    for (byte[] images :
        new byte[][] {
          idx(new int[] {2, 65_536, 65_536}, 1),
          idx(new int[] {Integer.MAX_VALUE, 65_536, 65_536}, 1),
          idx(new int[] {2_000_000_000, 1, 1}, 1),
        }) {
      write(TRAIN_IMAGES, images);
      rejects("truncated, or the header is wrong");
      write(TRAIN_IMAGES, gzip(images));
      rejects("truncated, or the header is wrong");
    }
    for (int side : new int[] {0, -1, 65_537, Integer.MIN_VALUE}) {
      write(TRAIN_IMAGES, idx(new int[] {2, side, 3}, 1));
      rejects("each side must be 1 to 65536");
    }
    write(TRAIN_IMAGES, idx(new int[] {-2, 1, 3}, 1));
    rejects("dimensions -2x1x3");
  }

  @Test
  void corruptGzip() throws IOException {
    Files.delete(folder.resolve(TRAIN_IMAGES));
    String name = TRAIN_IMAGES + ".gz";
    write(name, IMAGES);
    rejects("not a gzip file");
    byte[] zipped = gzip(IMAGES);
    write(name, Arrays.copyOf(zipped, zipped.length - 4));
    rejects("truncated");
    byte[] wrongSum = zipped.clone();
    wrongSum[zipped.length - 6] ^= 1;
    write(name, wrongSum);
    rejects("corrupt gzip: Corrupt GZIP trailer");
    for (int length = 0; length < zipped.length; length++) {
      write(name, Arrays.copyOf(zipped, length));
      rejects(name);
    }
  }

  @Test
  void testImagesOfAnotherSize() throws IOException {
    write(TEST_IMAGES, idx(new int[] {2, 3, 1}, 1, 2, 3, 4, 5, 6));
    rejects("images of 1x3x1: the training set's are 1x1x3");
  }

  @Test
  void featuresThatDiffer() {
    fails(location().withFeatures(4)::check, "3 features; must be 4");
    fails(DataLocation.of("mnist").withFeatures(3)::check, "784 features; must be 3");
  }

  /**
   * Returns the data with a given number of classes. Otherwise so few samples per class would count
   * as a mistake.
   */
  private DataLocation location() {
    return DataLocation.of(folder.toString()).withClasses(3);
  }

  private void rejects(String message) {
    fails(() -> location().check(), message);
  }

  private static void fails(ThrowingCallable code, String message) {
    assertThatThrownBy(code)
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining(message)
        .message()
        .doesNotContain("\n");
  }

  private void write(String name, byte[] content) throws IOException {
    Files.write(folder.resolve(name), content);
  }

  private static byte[] idx(int[] sizes, int... content) {
    ByteBuffer buffer = ByteBuffer.allocate(4 + 4 * sizes.length + content.length);
    buffer.putInt(0x800 | sizes.length);
    for (int size : sizes) {
      buffer.putInt(size);
    }
    for (int value : content) {
      buffer.put((byte) value);
    }
    return buffer.array();
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(content);
    }
    return bytes.toByteArray();
  }
}
