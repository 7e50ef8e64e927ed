package dev.braid.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ImageFolderTest extends DataInFolder {

  private static final List<String> CLASSES = List.of("blue", "green", "red");

  private final SplittableRandom random = new SplittableRandom(11);

  private DataLocation location() {
    return DataLocation.of(folder.toString());
  }

  /** Writes {@code files} files of each class, of 4 x 6 pixels. */
  private void write(String place, int files, String kind) throws IOException {
    for (int label = 0; label < CLASSES.size(); label++) {
      for (int i = 0; i < files; i++) {
        // In the order of names, 10 is before 2.
        Path file = folder.resolve(place).resolve(CLASSES.get(label)).resolve(i + kind);
        TestImages.write(file, TestImages.ofClass(2 - label, 4, 6, random));
      }
    }
  }

  @Test
  void classesAreFoldersByName() throws IOException {
    write("train", 11, ".png");
    write("test", 12, ".png");
    DataLocation.Contents contents = location().check();
    assertThat(contents.shape()).isEqualTo(new Shape(3, 4, 6, 3));
    assertThat(contents.location().classNames()).isEqualTo(CLASSES);
    assertThat(contents.train().classCounts()).containsExactly(11, 11, 11);
    assertThat(contents.test().samples()).isEqualTo(36);
    Samples train = contents.location().openTrain();
    assertThat(train.label(10)).isZero();
    assertThat(train.label(11)).isEqualTo(1);
    // The third file by name.
    assertIs(train, 2, ".png", "train/blue/10.png", 0);
    assertIs(contents.location().openTest(), 13, ".png", "test/green/1.png", 0);
  }

  private void assertIs(Samples samples, int id, String kind, String file, float apart)
      throws IOException {
    assertThat(file).endsWith(kind);
    float[] found = new float[samples.shape().features()];
    samples.copyFeatures(id, found, 0);
    try (ImageFile image = ImageFile.open(folder.resolve(file))) {
      byte[] planes = image.decode().planes();
      for (int i = 0; i < found.length; i++) {
        assertThat(found[i]).isCloseTo((planes[i] & 0xff) / 255f, within(apart));
      }
    }
  }

  @Test
  void planesAreRedGreenAndBlueRowAfterRow() throws IOException {
    write("train", 10, ".png");
    write("test", 1, ".png");
    BufferedImage image = new BufferedImage(6, 4, BufferedImage.TYPE_INT_RGB);
    image.setRGB(2, 1, 0xff3366);
    TestImages.write(folder.resolve("train/blue/0.png"), image);
    float[] found = new float[72];
    location().openTrain().copyFeatures(0, found, 0);
    float[] expected = new float[72];
    expected[8] = 1;
    expected[24 + 8] = 0.2f;
    expected[48 + 8] = 0.4f;
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void everyTenthOfAClassIsToTestWith() throws IOException {
    write("", 21, ".png");
    DataLocation.Contents contents = location().check();
    assertThat(contents.train().classCounts()).containsExactly(19, 19, 19);
    assertThat(contents.test().samples()).isEqualTo(6);
    // 0, 1, 10, 11, ..., 17, 18: the tenth and the twentieth.
    assertIs(contents.location().openTest(), 0, ".png", "blue/17.png", 0);
    assertIs(contents.location().openTest(), 1, ".png", "blue/8.png", 0);
    assertIs(contents.location().openTrain(), 9, ".png", "blue/18.png", 0);
  }

  @Test
  void jpegFilesToo() throws IOException {
    write("train", 10, ".jpg");
    write("test", 2, ".JPEG");
    assertThat(location().check().test().samples()).isEqualTo(6);
    assertIs(location().openTrain(), 3, ".jpg", "train/blue/3.jpg", 0);
    // The content of a file counts, not its name.
    Files.move(folder.resolve("train/red/0.jpg"), folder.resolve("train/red/0.png"));
    assertThat(location().check().train().samples()).isEqualTo(30);
  }

  @Test
  void greyImagesHaveOneChannel() throws IOException {
    for (String part : List.of("train", "test")) {
      for (int i = 0; i < 20; i++) {
        Path file = folder.resolve(part).resolve(i % 2 == 0 ? "dark" : "light").resolve(i + ".png");
        TestImages.write(file, TestImages.grey(2, 3, i % 2 == 0 ? 51 : 204));
      }
    }
    DataLocation.Contents contents = location().check();
    assertThat(contents.shape()).isEqualTo(new Shape(1, 2, 3, 2));
    float[] found = new float[6];
    contents.location().openTrain().copyFeatures(0, found, 0);
    assertThat(found).containsOnly(0.2f);
  }

  @Test
  void whatIsHiddenIsIgnored() throws IOException {
    write("train", 10, ".png");
    write("test", 1, ".png");
    Files.writeString(folder.resolve("train/red/.DS_Store"), "x");
    Files.createDirectories(folder.resolve("train/.cache"));
    Files.writeString(folder.resolve("README.txt"), "beside the classes");
    assertThat(location().check().train().samples()).isEqualTo(30);
  }

  @Test
  void aFolderOfTrainsIsAClass() throws IOException {
    for (String name : List.of("car", "train")) {
      for (int i = 0; i < 20; i++) {
        Path file = folder.resolve(name).resolve(i + ".png");
        TestImages.write(file, TestImages.ofClass(i, 4, 4, random));
      }
    }
    assertThat(location().check().location().classNames()).containsExactly("car", "train");
  }

  @Test
  void sizesAndKindsThatDiffer() throws IOException {
    write("train", 10, ".png");
    write("test", 2, ".png");
    Path odd = folder.resolve("train/red/3.png");
    TestImages.write(odd, TestImages.ofClass(0, 6, 4, random));
    TestImages.write(folder.resolve("train/red/4.png"), TestImages.ofClass(0, 9, 9, random));
    rejects(location(), odd + ": 6x4, and 4x6 is expected (height x width), as the first image");
    rejects(location(), "'image-size: HxW' scales all");
    TestImages.write(odd, TestImages.grey(4, 6, 9));
    rejects(location(), odd + ": grey, and colour (RGB) is expected");
    DataLocation scaled = location().withImages(ImageOptions.NONE.resizedTo(3, 5));
    rejects(scaled, odd + ": grey, and colour (RGB) is expected");
    TestImages.write(odd, TestImages.ofClass(0, 40, 30, random));
    DataLocation.Contents contents = scaled.check();
    assertThat(contents.shape()).isEqualTo(new Shape(3, 3, 5, 3));
    float[] found = new float[45];
    contents.location().openTrain().copyFeatures(23, found, 0);
    try (ImageFile image = ImageFile.open(odd)) {
      byte[] planes = image.decode().resized(3, 5).planes();
      for (int i = 0; i < found.length; i++) {
        assertThat(found[i]).isEqualTo((planes[i] & 0xff) / 255f);
      }
    }
    Path test = TestImages.write(folder.resolve("test/red/0.png"), TestImages.grey(4, 6, 1));
    rejects(scaled, test + ": grey");
  }

  @Test
  void wrongFoldersAreALineEach() throws IOException {
    rejects(location(), "data_batch_1.bin (CIFAR-10)");
    write("train", 10, ".png");
    rejects(location(), folder.resolve("test") + ": no such folder, next to one of train");
    Files.createDirectories(folder.resolve("test"));
    rejects(location(), folder.resolve("test") + ": no images");
    write("test", 1, ".png");
    assertThat(location().check().test().samples()).isEqualTo(3);
    rejects(location().withFeatures(9), "72 features; must be 9");
    rejects(location().withClasses(4), "3 folders of classes, and classes 4: the names of all");
    rejects(
        location().withClassNames(List.of("blue", "red")),
        folder.resolve("train/green") + ": no class of that name: blue, red are needed");
    rejects(
        location().withImages(new ImageOptions(false, List.of(), false, 4, 0, 0)),
        "images of 4x6: crop 4: less than 4 is needed");
    Path other = folder.resolve("test/yellow/1.png");
    TestImages.write(other, TestImages.ofClass(1, 4, 6, random));
    rejects(location(), other.getParent() + ": no class of that name: blue, green, red");
    Files.delete(other);
    Files.delete(other.getParent());
    Path text = Files.writeString(folder.resolve("train/red/labels.txt"), "1");
    rejects(location(), text + ": only files .png, .jpg and .jpeg are possible");
    Files.move(text, folder.resolve("train/red/text.png"));
    rejects(location(), "text.png: not a PNG or JPEG file");
    Files.delete(folder.resolve("train/red/text.png"));
    Files.createDirectories(folder.resolve("train/red/a.png"));
    rejects(location(), "a.png: only files .png");
    Files.delete(folder.resolve("train/red/a.png"));
    Files.createDirectories(folder.resolve("train/empty"));
    rejects(location(), "no training sample of class 1: give 'classes: ");
  }

  @Test
  void tooFewToSetSomeAside() throws IOException {
    write("", 9, ".png");
    rejects(location().withClasses(3), "no class has 10 images");
  }

  @Test
  void damagedAndHostileFilesAreALineEach() throws IOException {
    write("train", 10, ".png");
    write("test", 1, ".png");
    Path file = folder.resolve("train/red/5.png");
    byte[] png = Files.readAllBytes(file);
    for (int length : new int[] {0, 3, 8, 20, 33, 50}) {
      Files.write(file, Arrays.copyOf(png, length));
      rejects(location(), "5.png: ");
    }
    // The header states four thousand million pixels; its checksum is not verified.
    byte[] huge = png.clone();
    ByteBuffer.wrap(huge).putInt(16, 1 << 16).putInt(20, 1 << 16);
    Files.write(file, huge);
    rejects(location(), "5.png: ");
    rejects(location().withImages(ImageOptions.NONE.resizedTo(4, 6)), "5.png: ");
    BufferedImage clear = new BufferedImage(6, 4, BufferedImage.TYPE_INT_ARGB);
    TestImages.write(file, clear);
    rejects(location(), "5.png: has transparent pixels");
    Files.write(file, "GIF89a and more".getBytes(StandardCharsets.US_ASCII));
    rejects(location(), "5.png: not a PNG or JPEG file");
  }

  /** The JDK's reader fills missing pixels with grey, and only issues a warning. */
  @Test
  void jpegFilesWithoutTheirEndAreRefused() throws IOException {
    Path file = folder.resolve("noise.jpg");
    TestImages.write(file, TestImages.ofClass(1, 64, 64, random));
    byte[] whole = Files.readAllBytes(file);
    for (int length = 3; length < whole.length - 2; length += 7) {
      Files.write(file, Arrays.copyOf(whole, length));
      try (ImageFile image = ImageFile.open(file)) {
        assertThat(image.decode()).as("%s of %s bytes", length, whole.length).isNull();
      } catch (InvalidDataException e) {
        assertThat(e.getMessage()).contains("noise.jpg: a damaged JPEG file").doesNotContain("\n");
      }
    }
  }

  /** The first mistake in order is reported, whichever thread decodes first. */
  @Test
  void theFirstMistakeIsTold() throws IOException {
    write("train", 40, ".png");
    write("test", 1, ".png");
    for (int i = 30; i < 40; i++) {
      TestImages.write(
          folder.resolve("train/blue/" + i + ".png"), TestImages.ofClass(0, i, 5, random));
    }
    TestImages.write(folder.resolve("train/red/0.png"), TestImages.ofClass(0, 5, 5, random));
    for (int i = 0; i < 20; i++) {
      rejects(location(), "blue/30.png: 30x5");
    }
  }

  @Test
  void manyImagesTakeTime() throws IOException {
    write("train", 10, ".png");
    assertThat(location().slow()).isEmpty();
    Files.write(folder.resolve("train/red/9.png"), new byte[33 << 20]);
    assertThat(location().slow()).hasValue("decoding 30 images, as each worker will");
    assertThat(DataLocation.of(DataLocation.MNIST).slow()).isEmpty();
  }
}
