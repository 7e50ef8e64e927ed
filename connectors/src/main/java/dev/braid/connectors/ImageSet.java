package dev.braid.connectors;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.connectors.image.Pixels;
import dev.braid.learner.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A data set whose numbers are bytes: the forms that a folder may have.
 *
 * <p>Each reader has all images in its memory, read whole when it starts: every epoch deals them
 * anew, so that each needs nearly all of them in the end. All methods throw {@link
 * InvalidDataException} if something is missing or malformed.
 */
sealed interface ImageSet permits IdxFolder, CifarFolder, ImageFolder {

  /** Reads the images to train with. */
  Pixels train();

  /**
   * Reads the images to test with. Their classes and shape are those of the training set: where the
   * location does not say them, they are looked for in that.
   */
  Pixels test();

  /** Why reading them takes long, in a sentence, if it does. */
  default Optional<String> slow() {
    return Optional.empty();
  }

  /** What is at a place that is no text. */
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

  /** Refuses images of another size than whoever takes them expects. */
  static void checkFeatures(DataLocation location, Shape shape) {
    int expected = location.features();
    if (expected != 0 && expected != shape.features()) {
      throw new InvalidDataException(
          location.place() + ": " + shape.features() + " features; must be " + expected);
    }
  }

  /** Refuses images of another size than they are to be scaled to, as only files are scaled. */
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

  /** The sides of images, for messages. */
  static String describe(Shape shape) {
    return shape.channels() + "x" + shape.height() + "x" + shape.width();
  }
}
