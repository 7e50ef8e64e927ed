package dev.braid.connectors;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.connectors.image.Pixels;
import dev.braid.connectors.text.Table;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TableOptions;
import dev.braid.connectors.text.TableSchema;
import dev.braid.connectors.text.TextFormat;
import dev.braid.learner.Features;
import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The location of a data set. It is small and serialisable: it is part of the job, and each worker
 * opens the data itself.
 *
 * <p>A place is one of
 *
 * <ul>
 *   <li>{@code mnist}: the MNIST database of handwritten digits, in the jar {@code braid-mnist};
 *   <li>a folder with the four files of an MNIST-like data set, gzipped or not: {@code
 *       train-images-idx3-ubyte}, {@code train-labels-idx1-ubyte}, {@code t10k-images-idx3-ubyte},
 *       {@code t10k-labels-idx1-ubyte} (also spelt {@code train-images.idx3-ubyte}); images of any
 *       size, {@code idx2} for flat rows and {@code idx4} for sample x channel x row x column;
 *   <li>a folder with CIFAR-10 or CIFAR-100 in their binary versions: {@code data_batch_1.bin} …,
 *       {@code test_batch.bin}; see {@link CifarFolder};
 *   <li>a folder with one folder of PNG and JPEG files per class, either in {@code train} and
 *       {@code test}, or with every tenth file as a test sample; see {@link ImageFolder};
 *   <li>a file {@code NAME.csv} or {@code NAME.tsv}: a table with one sample per row, with or
 *       without the columns' names; the last column is the class, or a value to predict, unless
 *       {@link TableOptions} say otherwise;
 *   <li>{@code kafka:TOPIC}: a Kafka topic, which cannot be read as a whole; {@link
 *       dev.braid.connectors.stream.StreamSource} reads its records;
 *   <li>a file {@code NAME.libsvm} or {@code NAME.svm}: {@code label index:value ...}, indices from
 *       1 and ascending; the labels -1 and +1 are the classes 0 and 1.
 * </ul>
 *
 * <p>Text files may be gzipped ({@code NAME.csv.gz}). Their test samples are in {@code
 * NAME.test.csv} next to them. Without that file every tenth row (the 10th, the 20th, ...) is a
 * test sample.
 *
 * <p>All methods that read throw {@link InvalidDataException} if the data is missing or malformed.
 *
 * @param place {@code mnist}, or the absolute path of a folder or file
 * @param kind whether labels are classes, or values that a model predicts
 * @param classes number of classes; 0 for one more than the greatest label of the training set
 * @param features number of features per sample; 0 for the number that the training set has
 * @param classNames the label of each class; empty for 0, 1, 2 …, or for the labels of a table
 * @param table the columns, as far as they are known, of a table
 * @param images options of images, and their scales as far as they are known
 */
public record DataLocation(
    String place,
    Shape.Kind kind,
    int classes,
    int features,
    List<String> classNames,
    Table table,
    ImageOptions images)
    implements Serializable {

  /** Prefix of a place that is a Kafka topic. */
  public static final String TOPIC = "kafka:";

  /** The place of the data set in the jar {@code braid-mnist}. */
  public static final String MNIST = "mnist";

  private static final int MAX_CLASSES = 1 << 20;

  /**
   * The contents of a location.
   *
   * @param location the location with everything that is known about it: all readers that open it
   *     find the same classes, features and columns
   * @param shape the shape of the samples
   * @param train the training samples
   * @param test the test samples
   * @param isSparse whether most features of the first training samples are 0, as {@link Features}
   *     defines it
   * @param checksums checksums of the samples
   * @param notes sentences for the user about how the data was read
   */
  public record Contents(
      DataLocation location,
      Shape shape,
      Subset train,
      Subset test,
      boolean isSparse,
      DataChecksums checksums,
      List<String> notes) {

    /** Returns whether the samples of each class are counted, as they are not in a topic. */
    public boolean countsClasses() {
      return train.classCounts().stream().anyMatch(count -> count > 0);
    }

    /** Returns these contents with fewer training samples, because others are held out. */
    public Contents withTrainSamples(int count) {
      return new Contents(
          location,
          shape,
          new Subset(count, train.classCounts(), train.values()),
          test,
          isSparse,
          checksums,
          notes);
    }
  }

  /**
   * The training samples, or the test samples.
   *
   * @param samples number of samples
   * @param classCounts number of samples of each class; all 0 if they are not counted; empty if
   *     samples have values
   * @param values ranges of the samples' values; empty if samples have classes
   */
  public record Subset(int samples, List<Integer> classCounts, List<ValueRange> values) {

    /** Returns samples that have classes. */
    static Subset ofClasses(List<Integer> counts) {
      int samples = counts.stream().mapToInt(Integer::intValue).sum();
      return new Subset(samples, counts, List.of());
    }

    /** Returns samples that have values. */
    static Subset ofValues(int samples, List<ValueRange> ranges) {
      return new Subset(samples, List.of(), ranges);
    }
  }

  public DataLocation {
    classNames = List.copyOf(classNames);
    if (!classNames.isEmpty() && classes != classNames.size()) {
      throw new InvalidDataException(classes + " classes with " + classNames.size() + " names");
    }
    if (new HashSet<>(classNames).size() < classNames.size()) {
      throw new InvalidDataException("classes " + Texts.list(classNames) + ": one is given twice");
    }
    if (classes != 0 && (classes < 2 || classes > MAX_CLASSES)) {
      throw new InvalidDataException(classes + " classes: must be 2 to " + MAX_CLASSES);
    }
    if (features < 0 || features > TextFormat.MAX_FEATURES) {
      throw new InvalidDataException(
          features + " features: must be 1 to " + TextFormat.MAX_FEATURES);
    }
  }

  /** Returns a location whose classes and features are those that the data has. */
  public static DataLocation of(String place) {
    if (place.equals(MNIST) || place.startsWith(TOPIC)) {
      return unknown(place);
    }
    try {
      // Absolute, because the process that opens the location may have another working directory.
      return unknown(Path.of(place).toAbsolutePath().normalize().toString());
    } catch (InvalidPathException e) {
      throw new InvalidDataException("'" + place + "' is not a path: " + e.getReason(), e);
    }
  }

  /**
   * Returns an existing location, whose classes and features are those that the data has.
   *
   * @throws InvalidDataException with the place as it is given, if it does not exist
   */
  public static DataLocation existing(String place) {
    DataLocation location = of(place);
    if (!location.isBuiltIn() && !location.isTopic() && !Files.exists(Path.of(location.place))) {
      throw new InvalidDataException(place + ": no such file or folder, and not " + MNIST);
    }
    return location;
  }

  private static DataLocation unknown(String place) {
    return new DataLocation(
        place, Shape.Kind.CLASSES, 0, 0, List.of(), TableOptions.DEFAULT, ImageOptions.NONE);
  }

  /** Returns this location with the given number of classes. */
  public DataLocation withClasses(int classCount) {
    return new DataLocation(
        place, Shape.Kind.CLASSES, classCount, features, List.of(), table, images);
  }

  /** Returns this location with these labels, one class each. */
  public DataLocation withClassNames(List<String> names) {
    return new DataLocation(
        place, Shape.Kind.CLASSES, names.size(), features, names, table, images);
  }

  /** Returns this location with labels that are values, which a model predicts. */
  public DataLocation withValues() {
    return new DataLocation(place, Shape.Kind.VALUES, 0, features, List.of(), table, images);
  }

  /** Returns whether labels are values instead of classes. */
  public boolean hasValues() {
    return kind == Shape.Kind.VALUES;
  }

  /** Returns the columns of the values to predict, with their scales, as far as they are known. */
  public List<TableColumn> valueColumns() {
    if (!hasValues()) {
      return List.of();
    }
    return table instanceof TableSchema schema
        ? schema.labels()
        : List.of(TableColumn.numbers(0, "label"));
  }

  /** Returns the titles of text columns with empty cells, once the columns are known. */
  public List<String> textsWithGaps() {
    return table instanceof TableSchema schema
        ? schema.columns().stream()
            .filter(column -> column.categories().contains(""))
            .map(column -> TableColumn.title(column.index(), column.name()))
            .toList()
        : List.of();
  }

  /** Returns this location with the given number of features. */
  public DataLocation withFeatures(int featureCount) {
    return new DataLocation(place, kind, classes, featureCount, classNames, table, images);
  }

  /** Returns this location with what is known about its columns, if it is a table. */
  public DataLocation withTable(Table columns) {
    return new DataLocation(place, kind, classes, features, classNames, columns, images);
  }

  /** Returns whether the location is a Kafka topic. */
  public boolean isTopic() {
    return place.startsWith(TOPIC);
  }

  /** Returns whether the location is a table, by its name. */
  public boolean isTable() {
    return !isTopic() && TextFormat.of(place).filter(TextFormat.CSV::equals).isPresent();
  }

  /** Returns this location with these options of images. */
  public DataLocation withImages(ImageOptions options) {
    return new DataLocation(place, kind, classes, features, classNames, table, options);
  }

  /**
   * Returns whether the numbers are bytes, as in images: true for every location that is not text,
   * by its name.
   */
  public boolean isImages() {
    return !isTopic() && TextFormat.of(place).isEmpty();
  }

  /** Returns a sentence on why {@link #check} takes seconds, if it does. */
  public Optional<String> slow() {
    return isImages() && Files.isDirectory(Path.of(place))
        ? ImageSet.of(this).slow()
        : Optional.empty();
  }

  /**
   * Reads all data to find every fault, as a command does before it starts a job; the data in the
   * jar need not be read. Labels that are probably not classes are a fault, unless this location
   * states the number of classes.
   */
  public Contents check() {
    return new DataCheck(this).contents();
  }

  /** Reads the training samples, without random changes. */
  public Samples openTrain() {
    Optional<TextData> text = TextData.of(this);
    if (text.isPresent()) {
      return text.get().train();
    }
    Pixels train = ImageSet.of(this).train();
    return train.samples(images.fitted(train));
  }

  /**
   * Reads the training samples of a run: if so configured, they are flipped and cropped differently
   * in each epoch.
   *
   * @param seed seed of the run
   */
  public Samples openEpochs(long seed) {
    if (!images.isAugmented()) {
      return openTrain();
    }
    Pixels train = ImageSet.of(this).train();
    return train.augmented(images.fitted(train), seed);
  }

  /**
   * Reads the test samples. Their classes, shape and scales are those of the training set, which is
   * read, too, if this location does not contain them.
   */
  public Samples openTest() {
    Optional<TextData> text = TextData.of(this);
    if (text.isPresent()) {
      return text.get().test();
    }
    ImageSet set = ImageSet.of(this);
    return set.test().samples(images.needsFit() ? images.fitted(set.train()) : images);
  }

  /**
   * Reads all rows of a text file, training and test samples alike.
   *
   * @throws IllegalStateException if the location is not a text file
   */
  public Samples openAll() {
    return TextData.of(this).orElseThrow(() -> new IllegalStateException(place)).all();
  }

  /**
   * Returns a sentence for each categorical column in which test samples have texts that no
   * training row of a known table had: the number of such samples, and the first text.
   */
  public List<String> unknownTextsInTest() {
    return TextData.of(this).map(TextData::unknownTextsInTest).orElse(List.of());
  }

  /**
   * Returns the sentences of {@link #unknownTextsInTest} for the training samples, if the model was
   * trained on others.
   */
  public List<String> unknownTextsInTrain() {
    return TextData.of(this).map(TextData::unknownTextsInTrain).orElse(List.of());
  }

  /** Returns the first such text among the training samples, with its position. */
  public Optional<String> firstUnknownTextInTrain() {
    return TextData.of(this).flatMap(TextData::firstUnknownTextInTrain);
  }

  /** Returns the sentences of {@link #unknownTextsInTest} for all rows of a text file. */
  public List<String> unknownTextsInAll() {
    return TextData.of(this).map(TextData::unknownTextsInAll).orElse(List.of());
  }

  /** Returns the line of a known table with the first training sample that has this label. */
  public OptionalInt lineOf(String label) {
    return TextData.of(this).map(text -> text.lineOf(label)).orElse(OptionalInt.empty());
  }

  /**
   * Returns a short text that identifies the meaning of positions in the data, except for its
   * length.
   */
  public String fingerprint() {
    try {
      String columns =
          table instanceof TableSchema schema
              ? schema.fingerprint(hasValues())
              : table + (hasValues() ? " values" : "");
      byte[] text =
          (classNames + " " + columns + images.fingerprint()).getBytes(StandardCharsets.UTF_8);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  boolean isBuiltIn() {
    return place.equals(MNIST);
  }
}
