package dev.braid.connectors;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;

/** Small images, as files, of classes that can be distinguished. */
final class TestImages {

  private TestImages() {}

  /** Returns noise in which the channel of the class is brighter than the others. */
  static BufferedImage ofClass(int label, int height, int width, SplittableRandom random) {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < height * width; i++) {
      int noise = (random.nextInt(100) << 16) | (random.nextInt(100) << 8) | random.nextInt(100);
      image.setRGB(i % width, i / width, noise + (100 << (8 * (2 - label % 3))));
    }
    return image;
  }

  /** Returns an image of one grey value. */
  static BufferedImage grey(int height, int width, int value) {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
    for (int i = 0; i < height * width; i++) {
      image.getRaster().setSample(i % width, i / width, 0, value);
    }
    return image;
  }

  /** Writes an image in the format of the name's extension, and creates its folders. */
  static Path write(Path file, BufferedImage image) throws IOException {
    Files.createDirectories(file.getParent());
    String name = file.getFileName().toString();
    String format = name.endsWith("png") ? "png" : "jpeg";
    if (!ImageIO.write(image, format, file.toFile())) {
      throw new IOException("no writer for " + file);
    }
    return file;
  }

  /**
   * Returns CIFAR records: labels in turn, and images whose pixels have one value per channel.
   *
   * @param labels bytes before each image
   * @param first number of the first record; a record's channels have its number, and 1 and 2 more
   */
  static byte[] cifar(int records, int labels, int classes, int first) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int record = first; record < first + records; record++) {
      for (int i = 0; i < labels; i++) {
        out.write(i == labels - 1 ? record % classes : 0);
      }
      for (int i = 0; i < 3072; i++) {
        out.write(record + i / 1024);
      }
    }
    return out.toByteArray();
  }
}
