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
import dev.braid.connectors.text.ValueRange;
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
 *   <li>a folder with CIFAR-10 or CIFAR-100 in their binary versions: {@code data_batch_1.bin} …,
 *       {@code test_batch.bin}; see {@link CifarFolder};
 *   <li>a folder with a folder of PNG and JPEG files for each class, in {@code train} and {@code
 *       test}, or of which every tenth file is to test with; see {@link ImageFolder};
 *   <li>a file {@code NAME.csv} or {@code NAME.tsv}: a table, a sample a row, with or without the
 *       columns' names, its class, or a value to predict, in the last column unless {@link
 *       TableOptions} say otherwise;
 *   <li>{@code kafka:TOPIC}: a Kafka topic, whose records cannot be read whole, and are read by
 *       {@link dev.braid.connectors.stream.StreamSource};
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
 * @param kind whether labels are classes, or values that a model is to give
 * @param classes how many classes there are; 0 for one more than the greatest label of the training
 *     set
 * @param features how many numbers a sample has; 0 for as many as the training set shows
 * @param classNames the label of each class; none for 0, 1, 2 …, or for what a table shows
 * @param table what is known of the columns, where it is a table
 * @param images what is asked for, and known, of images, where it is a folder of them
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

  /** The place of the data set in the jar. */
  public static final String MNIST = "mnist";

  private static final int MAX_CLASSES = 1 << 20;

  /**
   * What is at a location.
   *
   * @param location the same with all that is known of it now: whoever opens it finds the same
   *     classes, features and columns
   * @param shape the shape of the samples
   * @param trainSamples how many there are to train with
   * @param testSamples how many there are to test with
   * @param classCounts how many of those to train with each class has; all 0 if they are not
   *     counted; none where they have values
   * @param testCounts the same of those to test with
   * @param values between which those to train with are; none where samples have classes
   * @param testValues between which those to test with are
   * @param isSparse whether most features of the first samples to train with are 0, as {@link
   *     Features} has it
   * @param checksums of the samples
   * @param notes what the user may want to know of how the data was read, in sentences
   */
  public record Contents(
      DataLocation location,
      Shape shape,
      int trainSamples,
      int testSamples,
      List<Integer> classCounts,
      List<Integer> testCounts,
      List<ValueRange> values,
      List<ValueRange> testValues,
      boolean isSparse,
      DataChecksums checksums,
      List<String> notes) {

    /** Returns whether the samples of each class are counted, as they are not in a topic. */
    public boolean countsClasses() {
      return classCounts.stream().anyMatch(count -> count > 0);
    }

    /** Returns these contents with fewer samples to train with, as others are held out. */
    public Contents withTrainSamples(int count) {
      return new Contents(
          location,
          shape,
          count,
          testSamples,
          classCounts,
          testCounts,
          values,
          testValues,
          isSparse,
          checksums,
          notes);
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

  /** A place, with classes and features as the data shows them. */
  public static DataLocation of(String place) {
    if (place.equals(MNIST) || place.startsWith(TOPIC)) {
      return unknown(place);
    }
    try {
      // Absolute, because the process that opens it may have another working directory.
      return unknown(Path.of(place).toAbsolutePath().normalize().toString());
    } catch (InvalidPathException e) {
      throw new InvalidDataException("'" + place + "' is not a path: " + e.getReason(), e);
    }
  }

  /**
   * A place where something is, with classes and features as the data shows them.
   *
   * @throws InvalidDataException naming the place as it is given, if nothing is there
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

  /** The same place with so many classes. */
  public DataLocation withClasses(int classCount) {
    return new DataLocation(
        place, Shape.Kind.CLASSES, classCount, features, List.of(), table, images);
  }

  /** The same place with these labels, a class each. */
  public DataLocation withClassNames(List<String> names) {
    return new DataLocation(
        place, Shape.Kind.CLASSES, names.size(), features, names, table, images);
  }

  /** The same place with labels that are values: numbers that a model is to give. */
  public DataLocation withValues() {
    return new DataLocation(place, Shape.Kind.VALUES, 0, features, List.of(), table, images);
  }

  /** Whether labels are values, and no classes. */
  public boolean hasValues() {
    return kind == Shape.Kind.VALUES;
  }

  /** Where the values are that a model is to give, and how they are scaled, once that is known. */
  public List<TableColumn> valueColumns() {
    if (!hasValues()) {
      return List.of();
    }
    return table instanceof TableSchema schema
        ? schema.labels()
        : List.of(TableColumn.numbers(0, "label"));
  }

  /** Columns of texts in which a cell is empty, by number and name, once columns are known. */
  public List<String> textsWithGaps() {
    return table instanceof TableSchema schema
        ? schema.columns().stream()
            .filter(column -> column.categories().contains(""))
            .map(column -> TableColumn.title(column.index(), column.name()))
            .toList()
        : List.of();
  }

  /** The same place with so many features. */
  public DataLocation withFeatures(int featureCount) {
    return new DataLocation(place, kind, classes, featureCount, classNames, table, images);
  }

  /** The same place with what is known of its columns, if it is a table. */
  public DataLocation withTable(Table columns) {
    return new DataLocation(place, kind, classes, features, classNames, columns, images);
  }

  /** Whether it is a Kafka topic. */
  public boolean isTopic() {
    return place.startsWith(TOPIC);
  }

  /** Whether it is a table, by its name. */
  public boolean isTable() {
    return !isTopic() && TextFormat.of(place).filter(TextFormat.CSV::equals).isPresent();
  }

  /** The same place with this asked for, or known, of its images. */
  public DataLocation withImages(ImageOptions options) {
    return new DataLocation(place, kind, classes, features, classNames, table, options);
  }

  /** Whether its numbers are bytes, as images' are: all that is no text, by its name. */
  public boolean isImages() {
    return !isTopic() && TextFormat.of(place).isEmpty();
  }

  /** Why {@link #check} takes seconds, in a sentence, if it does. */
  public Optional<String> slow() {
    return isImages() && Files.isDirectory(Path.of(place))
        ? ImageSet.of(this).slow()
        : Optional.empty();
  }

  /**
   * Looks for every mistake in the data by reading it, as a command line does before it starts a
   * job; the data in the jar needs no reading. Labels that are likely no classes are a mistake,
   * unless this location says how many there are.
   */
  public Contents check() {
    return new DataCheck(this).contents();
  }

  /** Reads the samples to train with, as they are. */
  public Samples openTrain() {
    Optional<TextData> text = TextData.of(this);
    if (text.isPresent()) {
      return text.get().train();
    }
    Pixels train = ImageSet.of(this).train();
    return train.samples(images.fitted(train));
  }

  /**
   * Reads the samples to train with, as a run has them: in each epoch flipped and cropped, if that
   * is asked for.
   *
   * @param seed of the run
   */
  public Samples openEpochs(long seed) {
    if (!images.isAugmented()) {
      return openTrain();
    }
    Pixels train = ImageSet.of(this).train();
    return train.augmented(images.fitted(train), seed);
  }

  /**
   * Reads the samples to test with. Their classes, shape and scales are those of the training set:
   * where this location does not say them, that is read too.
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
   * Reads all rows of a text file, whether they are to train with or to test with.
   *
   * @throws IllegalStateException if it is none
   */
  public Samples openAll() {
    return TextData.of(this).orElseThrow(() -> new IllegalStateException(place)).all();
  }

  /**
   * Of each column of categories with texts that no training row of a known table had, among the
   * test samples: a sentence that says how many, and the first.
   */
  public List<String> unknownTextsInTest() {
    return TextData.of(this).map(TextData::unknownTextsInTest).orElse(List.of());
  }

  /** The same among the samples to train with, where others were trained with. */
  public List<String> unknownTextsInTrain() {
    return TextData.of(this).map(TextData::unknownTextsInTrain).orElse(List.of());
  }

  /** The first such text among the samples to train with, and where it is. */
  public Optional<String> firstUnknownTextInTrain() {
    return TextData.of(this).flatMap(TextData::firstUnknownTextInTrain);
  }

  /** The same among all rows of a text file. */
  public List<String> unknownTextsInAll() {
    return TextData.of(this).map(TextData::unknownTextsInAll).orElse(List.of());
  }

  /** In which line of a known table the first training sample with this label is. */
  public OptionalInt lineOf(String label) {
    return TextData.of(this).map(text -> text.lineOf(label)).orElse(OptionalInt.empty());
  }

  /** What positions in the data mean, besides its length, in a few letters. */
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
