package dev.braid.job;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Images and their labels in MNIST's format. */
public final class IdxFiles {

  private static final int LABELS = 0x0801;
  private static final int IMAGES = 0x0803;

  private IdxFiles() {}

  /** Returns the file with a part's labels. */
  static Path labels(Path folder, String part) {
    return folder.resolve(part + "-labels-idx1-ubyte");
  }

  /**
   * Writes square images, the labels last.
   *
   * @param part {@code train} or {@code t10k}
   * @param side of an image, in pixels
   * @param pixels of all images, {@code byte[labels.length * side * side]}
   */
  public static void write(Path folder, String part, int side, byte[] pixels, byte[] labels)
      throws IOException {
    ByteBuffer images = ByteBuffer.allocate(4 * Integer.BYTES + pixels.length);
    images.putInt(IMAGES).putInt(labels.length).putInt(side).putInt(side).put(pixels);
    writeWhole(folder.resolve(part + "-images-idx3-ubyte"), images.array());
    ByteBuffer all = ByteBuffer.allocate(2 * Integer.BYTES + labels.length);
    all.putInt(LABELS).putInt(labels.length).put(labels);
    writeWhole(labels(folder, part), all.array());
  }

  /** Writes a file atomically, because tests in another JVM may write the same file. */
  private static void writeWhole(Path file, byte[] bytes) throws IOException {
    Path part = Files.createTempFile(file.getParent(), "idx", ".part");
    Files.write(part, bytes);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
