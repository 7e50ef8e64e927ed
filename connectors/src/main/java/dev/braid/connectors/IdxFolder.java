package dev.braid.connectors;

import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.image.Pixels;
import dev.braid.connectors.text.Labels;
import dev.braid.learner.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Images and labels in the four IDX files of an MNIST-like data set, gzipped or not: in a folder,
 * or in the jar {@code braid-mnist}.
 *
 * <p>Files of two dimensions are flat rows (sample, feature); of three, grey images (sample, row,
 * column); of four, images with channels (sample, channel, row, column).
 */
record IdxFolder(DataLocation location) implements ImageSet {

  private static final int LEAST_DIMENSIONS = 2;
  private static final int MOST_DIMENSIONS = 4;
  private static final int MOST_LABELS = 256;

  private static final String NO_JAR =
      DataLocation.MNIST
          + ": the jar braid-mnist is not on the class path: copy it from the folder cluster-lib "
          + "to Flink's lib folder on every machine, or add dev.braid:braid-mnist to the "
          + "dependencies of a Java program";

  /** Returns whether one of the four files is in a folder. */
  static boolean isAt(Path folder) {
    return List.of("train-images", "train-labels", "t10k-images", "t10k-labels").stream()
        .anyMatch(stem -> find(folder, stem).isPresent());
  }

  @Override
  public Pixels train() {
    DataFile images = file("train-images");
    checkFeatures(images);
    return read(images, file("train-labels"), location.classes());
  }

  @Override
  public Pixels test() {
    int known =
        location.classes() > 0 ? location.classes() : classes(readLabels(file("train-labels")));
    DataFile images = file("t10k-images");
    checkFeatures(images);
    Pixels test = read(images, file("t10k-labels"), known);
    Shape trained = readShape(file("train-images"), known);
    if (!test.shape().equals(trained)) {
      throw new InvalidDataException(
          "%s: images of %s: the training set's are %s"
              .formatted(
                  images.name(), ImageSet.describe(test.shape()), ImageSet.describe(trained)));
    }
    return test;
  }

  /**
   * Reads images and their labels.
   *
   * @param classes number of classes, or 0 for one more than the greatest label
   */
  private Pixels read(DataFile imageFile, DataFile labelFile, int classes) {
    IdxFile labels = readLabels(labelFile);
    IdxFile images = IdxFile.read(imageFile, LEAST_DIMENSIONS, MOST_DIMENSIONS);
    if (images.count() != labels.count()) {
      throw new InvalidDataException(
          "%s: %d images, but %d labels in %s"
              .formatted(imageFile.name(), images.count(), labels.count(), labelFile.name()));
    }
    int known = classes > 0 ? classes : classes(labels);
    List<String> names =
        location.classNames().isEmpty() ? Labels.numbered(known) : location.classNames();
    Shape shape = shape(images, known);
    ImageSet.checkSize(location, shape);
    return new Pixels(images.content(), classesOf(labels, names), shape, names);
  }

  /** Returns the class of each label. */
  private static int[] classesOf(IdxFile labels, List<String> classNames) {
    Labels known = new Labels(classNames);
    int[] classOf = IntStream.range(0, MOST_LABELS).map(known::classOf).toArray();
    int[] classes = new int[labels.count()];
    for (int i = 0; i < classes.length; i++) {
      int label = labels.content()[i] & 0xff;
      classes[i] = classOf[label];
      if (classes[i] < 0) {
        throw new InvalidDataException(
            "%s: label %d of sample %d: %s".formatted(labels.name(), label, i, known.describe()));
      }
    }
    return classes;
  }

  /**
   * Checks the features before the labels, because the labels of another data set are irrelevant.
   */
  private void checkFeatures(DataFile images) {
    if (location.features() != 0) {
      ImageSet.checkFeatures(location, readShape(images, Math.max(location.classes(), 2)));
    }
  }

  /** Returns the shape of a file's images, from its header only. */
  private static Shape readShape(DataFile imageFile, int classes) {
    return shape(IdxFile.readHeader(imageFile, LEAST_DIMENSIONS, MOST_DIMENSIONS), classes);
  }

  private static IdxFile readLabels(DataFile file) {
    return IdxFile.read(file, 1, 1);
  }

  /** Returns the number of classes in a file of labels: one more than the greatest label. */
  private static int classes(IdxFile labels) {
    int greatest = 0;
    for (byte label : labels.content()) {
      greatest = Math.max(greatest, label & 0xff);
    }
    if (greatest == 0) {
      throw new InvalidDataException(
          labels.name() + ": every label is 0: needs at least 2 classes");
    }
    return greatest + 1;
  }

  private static Shape shape(IdxFile images, int classes) {
    int[] sizes = images.sizes();
    return switch (sizes.length) {
      case 2 -> Shape.rows(sizes[1], classes);
      case 3 -> new Shape(1, sizes[1], sizes[2], classes);
      default -> new Shape(sizes[1], sizes[2], sizes[3], classes);
    };
  }

  /**
   * Returns one of the four files.
   *
   * @throws InvalidDataException if it does not exist
   */
  DataFile file(String stem) {
    String usual = stem + "-idx" + dimensions(stem).get(0) + "-ubyte";
    if (location.isBuiltIn()) {
      return DataFile.resource("/mnist/" + usual + ".gz")
          .orElseThrow(() -> new InvalidDataException(NO_JAR));
    }
    Path folder = Path.of(location.place());
    return DataFile.at(
        find(folder, stem)
            .orElseThrow(
                () ->
                    new InvalidDataException(folder + ": has no file " + usual + ", or with .gz")));
  }

  private static Optional<Path> find(Path folder, String stem) {
    for (String dimension : dimensions(stem)) {
      for (String separator : List.of("-", ".")) {
        for (String suffix : List.of("", ".gz")) {
          Path path = folder.resolve(stem + separator + "idx" + dimension + "-ubyte" + suffix);
          if (Files.exists(path)) {
            return Optional.of(path);
          }
        }
      }
    }
    return Optional.empty();
  }

  private static List<String> dimensions(String stem) {
    return stem.endsWith("labels") ? List.of("1") : List.of("3", "4", "2");
  }
}
