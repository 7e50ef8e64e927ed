package dev.braid.connectors;

import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where a data set is. Small and serialisable: it travels with the job, and each worker opens the
 * data for itself.
 *
 * <p>A place is one of
 *
 * <ul>
 *   <li>{@code mnist}: the MNIST database of handwritten digits, which is in the jar;
 *   <li>a folder with the four files of an MNIST-like data set, gzipped or not: {@code
 *       train-images-idx3-ubyte}, {@code train-labels-idx1-ubyte}, {@code t10k-images-idx3-ubyte},
 *       {@code t10k-labels-idx1-ubyte} (also spelt {@code train-images.idx3-ubyte}); images of any
 *       size, {@code idx2} for flat rows and {@code idx4} for sample x channel x row x column;
 *   <li>a file {@code NAME.csv}: comma-separated numbers, a sample a line, its label in the last
 *       column, with or without a line of column names;
 *   <li>a file {@code NAME.libsvm} or {@code NAME.svm}: {@code label index:value ...}, indices from
 *       1 and ascending; the labels -1 and +1 stand for the classes 0 and 1.
 * </ul>
 *
 * <p>Text files may be gzipped ({@code NAME.csv.gz}); their test samples are in {@code
 * NAME.test.csv} beside them, or else every tenth row (the 10th, the 20th, ...) is a test sample
 * and the others train.
 *
 * <p>All methods that read throw {@link InvalidDataException} if the data is missing or malformed.
 *
 * @param place {@code mnist}, or the absolute path of a folder or file
 * @param classes how many classes there are; 0 for one more than the greatest label of the training
 *     set
 * @param features how many numbers a sample has; 0 for as many as the training set shows
 */
public record DataLocation(String place, int classes, int features) implements Serializable {

  /** The place of the data set in the jar. */
  public static final String MNIST = "mnist";

  private static final int MAX_CLASSES = 1 << 20;
  private static final Contents MNIST_CONTENTS =
      new Contents(new Shape(1, 28, 28, 10), 60_000, 10_000);

  /**
   * What is at a location.
   *
   * @param shape the shape of the samples
   * @param trainSamples how many there are to train with
   * @param testSamples how many there are to test with
   */
  public record Contents(Shape shape, int trainSamples, int testSamples) {}

  public DataLocation {
    if (classes != 0 && (classes < 2 || classes > MAX_CLASSES)) {
      throw new InvalidDataException(classes + " classes: 2 to " + MAX_CLASSES + " are possible");
    }
    if (features < 0 || features > TextFormat.MAX_FEATURES) {
      throw new InvalidDataException(
          features + " features: 1 to " + TextFormat.MAX_FEATURES + " are possible");
    }
  }

  /** A place, with classes and features as the data shows them. */
  public static DataLocation of(String place) {
    if (place.equals(MNIST)) {
      return new DataLocation(MNIST, 0, 0);
    }
    try {
      // Absolute, because the process that opens it may have another working directory.
      return new DataLocation(Path.of(place).toAbsolutePath().normalize().toString(), 0, 0);
    } catch (InvalidPathException e) {
      throw new InvalidDataException("'" + place + "' is not a path: " + e.getReason(), e);
    }
  }

  /** The same place with so many classes. */
  public DataLocation withClasses(int classCount) {
    return new DataLocation(place, classCount, features);
  }

  /** The same place with so many features. */
  public DataLocation withFeatures(int featureCount) {
    return new DataLocation(place, classes, featureCount);
  }

  /**
   * Looks for every mistake in the data by reading it, as a command line does before it starts a
   * job; the data in the jar needs no reading.
   */
  public Contents check() {
    if (isBuiltIn() && classes == 0) {
      checkFeatures(MNIST_CONTENTS.shape());
      return MNIST_CONTENTS;
    }
    Samples train = openTrain();
    DataLocation known = new DataLocation(place, train.shape().classes(), train.shape().features());
    return new Contents(train.shape(), train.size(), known.openTest().size());
  }

  /** Reads the samples to train with. */
  public Samples openTrain() {
    Optional<TextFormat> format = textFormat();
    if (format.isEmpty()) {
      Samples samples = IdxSamples.read(idx("train-images"), idx("train-labels"), classes);
      checkFeatures(samples.shape());
      return samples;
    }
    DataFile file = DataFile.at(Path.of(place));
    TextSamples.Expected expected = new TextSamples.Expected(classes, features);
    return testFile().isPresent()
        ? TextSamples.read(file, format.get(), expected)
        : TextSamples.readPart(file, format.get(), expected, false);
  }

  /**
   * Reads the samples to test with. Their classes and shape are those of the training set: where
   * this location does not say them, that is read too.
   */
  public Samples openTest() {
    Optional<TextFormat> format = textFormat();
    if (format.isEmpty()) {
      return openIdxTest();
    }
    TextSamples.Expected expected = new TextSamples.Expected(classes, features);
    Optional<Path> testFile = testFile();
    if (testFile.isEmpty()) {
      return TextSamples.readPart(DataFile.at(Path.of(place)), format.get(), expected, true);
    }
    if (classes == 0 || features == 0) {
      expected = TextSamples.Expected.of(openTrain().shape());
    }
    return TextSamples.read(DataFile.at(testFile.get()), format.get(), expected);
  }

  private Samples openIdxTest() {
    int known = classes > 0 ? classes : IdxSamples.readClasses(idx("train-labels"));
    DataFile images = idx("t10k-images");
    Samples samples = IdxSamples.read(images, idx("t10k-labels"), known);
    Shape trained = IdxSamples.readShape(idx("train-images"), known);
    if (!samples.shape().equals(trained)) {
      throw new InvalidDataException(
          images.name()
              + ": images of "
              + describe(samples.shape())
              + ": the training set's are "
              + describe(trained));
    }
    return samples;
  }

  private boolean isBuiltIn() {
    return place.equals(MNIST);
  }

  private Optional<TextFormat> textFormat() {
    if (isBuiltIn() || Files.isDirectory(Path.of(place))) {
      return Optional.empty();
    }
    Path path = Path.of(place);
    if (!Files.exists(path)) {
      throw new InvalidDataException(place + ": no such file or folder, and not " + MNIST);
    }
    Optional<TextFormat> format = TextFormat.of(place);
    if (format.isEmpty()) {
      throw new InvalidDataException(
          place
              + ": the format cannot be told from the name: .csv, .libsvm or .svm (or with .gz),"
              + " or a folder of IDX files, is needed");
    }
    return format;
  }

  private Optional<Path> testFile() {
    String name = TextFormat.stripGz(TextFormat.testName(place));
    for (String candidate : List.of(name, name + ".gz")) {
      if (Files.exists(Path.of(candidate))) {
        return Optional.of(Path.of(candidate));
      }
    }
    return Optional.empty();
  }

  private DataFile idx(String stem) {
    List<String> dimensions = stem.endsWith("labels") ? List.of("1") : List.of("3", "4", "2");
    if (isBuiltIn()) {
      return DataFile.resource("/mnist/" + stem + "-idx" + dimensions.get(0) + "-ubyte.gz");
    }
    Path folder = Path.of(place);
    for (String dimension : dimensions) {
      for (String separator : List.of("-", ".")) {
        for (String suffix : List.of("", ".gz")) {
          Path path = folder.resolve(stem + separator + "idx" + dimension + "-ubyte" + suffix);
          if (Files.exists(path)) {
            return DataFile.at(path);
          }
        }
      }
    }
    throw new InvalidDataException(
        folder + ": no file " + stem + "-idx" + dimensions.get(0) + "-ubyte, or with .gz");
  }

  private void checkFeatures(Shape shape) {
    if (features != 0 && features != shape.features()) {
      throw new InvalidDataException(
          place + ": " + shape.features() + " features: " + features + " are expected");
    }
  }

  private static String describe(Shape shape) {
    return shape.channels() + "x" + shape.height() + "x" + shape.width();
  }
}
