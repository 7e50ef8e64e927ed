package dev.braid.connectors;

import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.HexFormat;
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
 *   <li>a file {@code NAME.csv} or {@code NAME.tsv}: a table, a sample a row, with or without the
 *       columns' names, its class in the last column unless {@link TableOptions} say otherwise;
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
 * @param classNames the label of each class; none for 0, 1, 2 …, or for what a table shows
 * @param table what is known of the columns, where it is a table
 */
public record DataLocation(
    String place, int classes, int features, List<String> classNames, Table table)
    implements Serializable {

  /** The place of the data set in the jar. */
  public static final String MNIST = "mnist";

  private static final int MAX_CLASSES = 1 << 20;
  private static final Shape MNIST_SHAPE = new Shape(1, 28, 28, 10);
  private static final List<Integer> MNIST_COUNTS =
      List.of(5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949);
  private static final int MNIST_TEST_SAMPLES = 10_000;

  /**
   * What is at a location.
   *
   * @param location the same with all that is known of it now: whoever opens it finds the same
   *     classes, features and columns
   * @param shape the shape of the samples
   * @param classCounts how many samples to train with each class has
   * @param testSamples how many there are to test with
   */
  public record Contents(
      DataLocation location, Shape shape, List<Integer> classCounts, int testSamples) {

    /** How many samples there are to train with. */
    public int trainSamples() {
      return classCounts.stream().mapToInt(Integer::intValue).sum();
    }
  }

  public DataLocation {
    classNames = List.copyOf(classNames);
    if (!classNames.isEmpty() && classes != classNames.size()) {
      throw new InvalidDataException(classes + " classes with " + classNames.size() + " names");
    }
    if (new HashSet<>(classNames).size() < classNames.size()) {
      throw new InvalidDataException("classes " + Texts.list(classNames) + ": one is there twice");
    }
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
      return unknown(MNIST);
    }
    try {
      // Absolute, because the process that opens it may have another working directory.
      return unknown(Path.of(place).toAbsolutePath().normalize().toString());
    } catch (InvalidPathException e) {
      throw new InvalidDataException("'" + place + "' is not a path: " + e.getReason(), e);
    }
  }

  private static DataLocation unknown(String place) {
    return new DataLocation(place, 0, 0, List.of(), TableOptions.DEFAULT);
  }

  /** The same place with so many classes. */
  public DataLocation withClasses(int classCount) {
    return new DataLocation(place, classCount, features, List.of(), table);
  }

  /** The same place with these labels, a class each. */
  public DataLocation withClassNames(List<String> names) {
    return new DataLocation(place, names.size(), features, names, table);
  }

  /** The same place with so many features. */
  public DataLocation withFeatures(int featureCount) {
    return new DataLocation(place, classes, featureCount, classNames, table);
  }

  /** The same place with what is known of its columns, if it is a table. */
  public DataLocation withTable(Table columns) {
    return new DataLocation(place, classes, features, classNames, columns);
  }

  /** Whether it is a table, by its name. */
  public boolean isTable() {
    return TextFormat.of(place).filter(TextFormat.CSV::equals).isPresent();
  }

  /** Whether it is images, or rows of bytes, in IDX files. */
  public boolean isIdx() {
    return TextFormat.of(place).isEmpty();
  }

  /**
   * Looks for every mistake in the data by reading it, as a command line does before it starts a
   * job; the data in the jar needs no reading. Labels that are likely no classes are a mistake,
   * unless this location says how many there are.
   */
  public Contents check() {
    if (isBuiltIn() && classes == 0) {
      checkFeatures(MNIST_SHAPE);
      DataLocation known = withClassNames(Labels.numbered(MNIST_COUNTS.size()));
      return new Contents(
          known.withFeatures(MNIST_SHAPE.features()),
          MNIST_SHAPE,
          MNIST_COUNTS,
          MNIST_TEST_SAMPLES);
    }
    DataLocation known = fitted();
    Samples train = known.openTrain();
    Shape shape = train.shape();
    int[] counts = new int[shape.classes()];
    BitSet used = new BitSet();
    for (int id = 0; id < train.size(); id++) {
      counts[train.label(id)]++;
      used.set(train.label(id));
    }
    if (classes == 0) {
      LabelCheck.check(place, used, train.size(), "");
    }
    known = known.named(shape.classes()).withFeatures(shape.features());
    return new Contents(
        known, shape, Arrays.stream(counts).boxed().toList(), known.openTest().size());
  }

  /** With its columns, and their classes, if it is a table; with its classes, if they are signs. */
  private DataLocation fitted() {
    Optional<TextFormat> format = textFormat();
    if (format.isEmpty()) {
      return this;
    }
    if (format.get() == TextFormat.LIBSVM) {
      return openLibSvm().signs() ? withClassNames(List.of("-1", "1")) : this;
    }
    if (!(table instanceof TableOptions options)) {
      return this;
    }
    TextSamples.Part part = trainPart();
    TableFit.Fitted fitted =
        TableFit.fit(
            DataFile.at(Path.of(place)), options, part::has, part.leastRows(), classes, classNames);
    return withTable(fitted.schema()).withClassNames(fitted.classes());
  }

  private DataLocation named(int classCount) {
    return classNames.isEmpty() ? withClassNames(Labels.numbered(classCount)) : this;
  }

  /** Reads the samples to train with. */
  public Samples openTrain() {
    Optional<TextFormat> format = textFormat();
    if (format.isEmpty()) {
      DataFile images = idx("train-images");
      checkFeatures(images);
      return IdxSamples.read(images, idx("train-labels"), classes, classNames);
    }
    if (format.get() == TextFormat.LIBSVM) {
      return openLibSvm().samples();
    }
    return fitted().openTable(DataFile.at(Path.of(place)), trainPart());
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
    Optional<Path> testFile = testFile();
    DataFile file = DataFile.at(testFile.orElse(Path.of(place)));
    TextSamples.Part part = testFile.isPresent() ? TextSamples.Part.ALL : TextSamples.Part.TEST;
    if (format.get() == TextFormat.CSV) {
      return fitted().openTable(file, part);
    }
    TextSamples.Expected expected = expected();
    if (testFile.isPresent() && (classes == 0 || features == 0)) {
      TextSamples.Read training = openLibSvm();
      Shape shape = training.samples().shape();
      expected =
          new TextSamples.Expected(
              shape.classes(),
              shape.features(),
              training.signs() ? List.of("-1", "1") : classNames);
    }
    return TextSamples.readLibSvm(file, expected, part).samples();
  }

  /**
   * Reads all rows of a text file, whether they are to train with or to test with.
   *
   * @throws IllegalStateException if it is none
   */
  public Samples openAll() {
    DataFile file = DataFile.at(Path.of(place));
    return switch (textFormat().orElseThrow(() -> new IllegalStateException(place))) {
      case CSV -> fitted().openTable(file, TextSamples.Part.ALL);
      case LIBSVM -> TextSamples.readLibSvm(file, expected(), TextSamples.Part.ALL).samples();
    };
  }

  /** What positions in the data mean, besides its length, in a few letters. */
  String fingerprint() {
    try {
      byte[] text = (classNames + " " + table).getBytes(StandardCharsets.UTF_8);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private TextSamples.Expected expected() {
    return new TextSamples.Expected(classes, features, classNames);
  }

  private TextSamples.Read openLibSvm() {
    return TextSamples.readLibSvm(DataFile.at(Path.of(place)), expected(), trainPart());
  }

  private Samples openTable(DataFile file, TextSamples.Part part) {
    return TextSamples.readTable(file, (TableSchema) table, expected(), part);
  }

  private TextSamples.Part trainPart() {
    return testFile().isPresent() ? TextSamples.Part.ALL : TextSamples.Part.TRAIN;
  }

  private Samples openIdxTest() {
    int known = classes > 0 ? classes : IdxSamples.readClasses(idx("train-labels"));
    DataFile images = idx("t10k-images");
    checkFeatures(images);
    Samples samples = IdxSamples.read(images, idx("t10k-labels"), known, classNames);
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
              + ": the format cannot be told from the name: .csv, .tsv, .libsvm or .svm (or with"
              + " .gz), or a folder of IDX files, is needed");
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

  /** Before the labels: of another data set, they have nothing to say. */
  private void checkFeatures(DataFile images) {
    if (features != 0) {
      checkFeatures(IdxSamples.readShape(images, Math.max(classes, 2)));
    }
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
