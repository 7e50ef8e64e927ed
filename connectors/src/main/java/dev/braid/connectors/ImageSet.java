package dev.braid.connectors;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.connectors.image.Pixels;
import dev.braid.learner.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A data set whose numbers are bytes, in one of the forms that a folder may have.
 *
 * <p>Each reader has all images in its memory, and reads them when it starts: every epoch
 * distributes them in a new order, so that each reader needs nearly all of them eventually. All
 * methods throw {@link InvalidDataException} if something is missing or malformed.
 */
sealed interface ImageSet permits IdxFolder, CifarFolder, ImageFolder {

  /** Reads the training images. */
  Pixels train();

  /**
   * Reads the test images. Their classes and shape are those of the training set, which is read if
   * the location does not contain them.
   */
  Pixels test();

  /** Returns a sentence on why reading the images takes long, if it does. */
  default Optional<String> slow() {
    return Optional.empty();
  }

  /** Returns the data set at a place that is not a text file. */
  static ImageSet of(DataLocation location) {
    if (location.isBuiltIn()) {
      return new IdxFolder(location);
    }
    Path folder = Path.of(location.place());
    if (IdxFolder.isAt(folder)) {
      return new IdxFolder(location);
    }
    if (CifarFolder.isAt(folder)) {
      return new CifarFolder(location);
    }
    if (ImageFolder.isAt(folder)) {
      return new ImageFolder(location);
    }
    throw new InvalidDataException(
        location.place()
            + (Files.isDirectory(folder) ? ": " : ": no such folder: ")
            + "has no file train-images-idx3-ubyte, or with .gz; no data_batch_1.bin "
            + "(CIFAR-10); and no folder of PNG or JPEG files for each class");
  }

  /**
   * Checks that images have the expected number of features.
   *
   * @throws InvalidDataException if they do not
   */
  static void checkFeatures(DataLocation location, Shape shape) {
    int expected = location.features();
    if (expected != 0 && expected != shape.features()) {
      throw new InvalidDataException(
          location.place() + ": " + shape.features() + " features; must be " + expected);
    }
  }

  /**
   * Checks that images have the size to which they should be scaled, because only image files are
   * scaled.
   *
   * @throws InvalidDataException if they do not
   */
  static void checkSize(DataLocation location, Shape shape) {
    ImageOptions images = location.images();
    if (images.isResized()
        && (images.height() != shape.height() || images.width() != shape.width())) {
      throw new InvalidDataException(
          "%s: images of %dx%d, and %dx%d is asked for: only PNG and JPEG files are scaled"
              .formatted(
                  location.place(),
                  shape.height(),
                  shape.width(),
                  images.height(),
                  images.width()));
    }
  }

  /** Returns the sides of images, for messages. */
  static String describe(Shape shape) {
    return shape.channels() + "x" + shape.height() + "x" + shape.width();
  }
}
