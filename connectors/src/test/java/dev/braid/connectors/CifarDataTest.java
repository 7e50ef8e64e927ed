package dev.braid.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.image.ImageOptions;
import dev.braid.connectors.text.Labels;
import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CifarDataTest extends DataInFolder {

  private static final List<String> NAMES =
      List.of("air", "auto", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck");

  @BeforeEach
  void writeValidData() throws IOException {
    write("data_batch_1.bin", TestImages.cifar(60, 1, 10, 0));
    write("data_batch_2.bin", TestImages.cifar(50, 1, 10, 60));
    write("test_batch.bin", TestImages.cifar(10, 1, 10, 7));
  }

  private void write(String name, byte[] content) throws IOException {
    Files.write(folder.resolve(name), content);
  }

  private DataLocation location() {
    return DataLocation.of(folder.toString());
  }

  @Test
  void batchesComeOneAfterTheOtherAndChannelsToo() {
    DataLocation.Contents contents = location().check();
    assertThat(contents.shape()).isEqualTo(new Shape(3, 32, 32, 10));
    assertThat(contents.train().classCounts()).isEqualTo(Collections.nCopies(10, 11));
    assertThat(contents.test().samples()).isEqualTo(10);
    assertThat(contents.isSparse()).isFalse();
    assertThat(contents.location().classNames()).startsWith("0", "1").hasSize(10);
    Samples train = contents.location().openTrain();
    float[] image = new float[3074];
    for (int id : new int[] {0, 59, 60, 109}) {
      train.copyFeatures(id, image, 1);
      assertThat(train.label(id)).isEqualTo(id % 10);
      for (int i = 0; i < 3072; i++) {
        assertThat(image[1 + i]).isEqualTo((id + i / 1024) / 255f);
      }
    }
    assertThat(image[0]).isZero();
    assertThat(image[3073]).isZero();
    assertThat(contents.location().openTest().label(0)).isEqualTo(7);
  }

  /** Batches are ordered by number: the tenth is after the ninth, not after the first. */
  @Test
  void anyNumberOfBatches() throws IOException {
    for (int batch = 3; batch <= 11; batch++) {
      write("data_batch_" + batch + ".bin", TestImages.cifar(1, 1, 10, 100 + batch));
    }
    Samples train = location().openTrain();
    assertThat(train.size()).isEqualTo(119);
    float[] image = new float[3072];
    train.copyFeatures(117, image, 0);
    assertThat(image[0]).isEqualTo(110 / 255f);
  }

  @Test
  void classesHaveTheNamesOfTheFile() throws IOException {
    Files.write(folder.resolve("batches.meta.txt"), withEmptyLines(NAMES));
    DataLocation known = location().check().location();
    assertThat(known.classNames()).isEqualTo(NAMES);
    assertThat(known.openTest().label(2)).isEqualTo(9);
    List<String> turned = new ArrayList<>(NAMES);
    Collections.reverse(turned);
    assertThat(location().withClassNames(turned).openTest().label(2)).isZero();
    assertThat(location().withClassNames(Labels.numbered(10)).openTest().label(2)).isEqualTo(9);
    assertThat(location().withClasses(12).openTest().shape().classes()).isEqualTo(12);
    rejects(location().withClassNames(NAMES.subList(0, 4)), "label 4 of image 4: the labels are");
    rejects(location().withClasses(4), "data_batch_1.bin: label 4 of image 4: the labels are air");
    Files.delete(folder.resolve("batches.meta.txt"));
    assertThat(location().withClassNames(turned).openTest().label(2)).isEqualTo(9);
  }

  private static List<String> withEmptyLines(List<String> names) {
    List<String> lines = new ArrayList<>(names);
    lines.add("");
    return lines;
  }

  @Test
  void cifar100HasTwoLabelsOfWhichTheSecondCounts() throws IOException {
    for (String name : List.of("data_batch_1.bin", "data_batch_2.bin", "test_batch.bin")) {
      Files.delete(folder.resolve(name));
    }
    write("train.bin", TestImages.cifar(200, 2, 100, 0));
    write("test.bin", TestImages.cifar(2, 2, 100, 98));
    DataLocation known = location().withClasses(100).check().location();
    assertThat(known.openTrain().label(42)).isEqualTo(42);
    assertThat(known.openTest().label(1)).isEqualTo(99);
    write("train.bin", TestImages.cifar(200, 1, 100, 0));
    rejects(location().withClasses(100), "train.bin: 614600 bytes: a multiple of 3074 is needed");
  }

  @Test
  void wrongFilesAreALineEach() throws IOException {
    byte[] batch = TestImages.cifar(50, 1, 10, 60);
    rejects(location().withFeatures(784), "3072 features; must be 784");
    rejects(
        location().withImages(ImageOptions.NONE.resizedTo(16, 16)),
        "images of 32x32, and 16x16 is asked for: only PNG and JPEG files are scaled");
    rejects(
        location().withImages(new ImageOptions(false, List.of(), false, 32, 0, 0)),
        "crop 32: less than 32 is needed");
    for (int length : new int[] {0, 1, 3072, 3074, batch.length - 1}) {
      write("data_batch_2.bin", Arrays.copyOf(batch, length));
      rejects(location(), "data_batch_2.bin: " + length + " bytes: a multiple of 3073 is needed");
    }
    batch[3073 * 3] = 10;
    write("data_batch_2.bin", batch);
    rejects(location(), "data_batch_2.bin: label 10 of image 3: 0 to 9 are possible");
    batch[3073 * 3] = (byte) 255;
    write("data_batch_2.bin", batch);
    rejects(location(), "data_batch_2.bin: label 255 of image 3: 0 to 9 are possible");
    write("data_batch_2.bin", gzip(batch));
    rejects(location(), "data_batch_2.bin: is compressed");
    Files.delete(folder.resolve("data_batch_2.bin"));
    write("data_batch_3.bin", TestImages.cifar(50, 1, 10, 0));
    rejects(location(), "no file data_batch_2.bin");
    Files.move(folder.resolve("data_batch_3.bin"), folder.resolve("data_batch_2.bin"));
    Files.write(folder.resolve("batches.meta.txt"), NAMES.subList(0, 9));
    rejects(location(), "batches.meta.txt: 9 names, 9 different ones: a name for each of 10");
    Files.write(folder.resolve("batches.meta.txt"), Collections.nCopies(10, "cat"));
    rejects(location(), "batches.meta.txt: 10 names, 1 different ones");
    write("batches.meta.txt", new byte[] {(byte) 0xff, 'a'});
    rejects(location(), "batches.meta.txt: not UTF-8");
    write("batches.meta.txt", new byte[1 << 17]);
    rejects(location(), "batches.meta.txt: more than 65536 bytes");
    Files.delete(folder.resolve("batches.meta.txt"));
    Files.delete(folder.resolve("test_batch.bin"));
    rejects(location(), "no file test_batch.bin");
  }

  @Test
  void thePythonVersionIsAnother() throws IOException {
    for (String name : List.of("data_batch_1", "data_batch_2", "test_batch")) {
      Files.move(folder.resolve(name + ".bin"), folder.resolve(name));
    }
    rejects(location(), "no file data_batch_1.bin");
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(content);
    }
    return bytes.toByteArray();
  }

  @Test
  void recordsToClassifyAreThoseOfTheFile() {
    Samples test = location().openTest();
    FeatureStream.Expected expected =
        new FeatureStream.Expected(test.shape(), Optional.empty(), 255, ImageOptions.NONE);
    float[] image = new float[3072];
    try (FeatureStream stream =
        FeatureStream.open(folder.resolve("test_batch.bin"), Optional.empty(), expected)) {
      for (int id : IntStream.range(0, 10).toArray()) {
        test.copyFeatures(id, image, 0);
        assertThat(stream.next()).hasValueSatisfying(s -> assertThat(s).isEqualTo(image));
      }
      assertThat(stream.next()).isEmpty();
    }
  }
}
