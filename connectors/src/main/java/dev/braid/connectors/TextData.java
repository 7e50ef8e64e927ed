package dev.braid.connectors;

import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TableFit;
import dev.braid.connectors.text.TableOptions;
import dev.braid.connectors.text.TableSchema;
import dev.braid.connectors.text.TextFormat;
import dev.braid.connectors.text.TextSamples;
import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A data set in text: a table or a LibSVM file, gzipped or not. Its test samples are in {@code
 * NAME.test.csv} next to it. Without that file every tenth row is a test sample.
 */
record TextData(DataLocation location, TextFormat format) {

  /**
   * Returns the data set at a location, if it is text.
   *
   * @throws InvalidDataException if the location does not exist, or is a file of an unknown kind
   */
  static Optional<TextData> of(DataLocation location) {
    String place = location.place();
    if (location.isBuiltIn() || location.isTopic() || Files.isDirectory(Path.of(place))) {
      return Optional.empty();
    }
    if (!Files.exists(Path.of(place))) {
      throw new InvalidDataException(
          place + ": no such file or folder, and not " + DataLocation.MNIST);
    }
    Optional<TextFormat> format = TextFormat.of(place);
    if (format.isEmpty()) {
      throw new InvalidDataException(
          place
              + ": the format is not clear from the name: must be .csv, .tsv, .libsvm or .svm "
              + "(or with .gz), or a folder of images");
    }
    return format.map(found -> new TextData(location, found));
  }

  /**
   * The result of examining the training rows.
   *
   * @param location the location with its columns and classes, if it is a table; with its classes,
   *     if they are signs
   * @param notes sentences for the user
   */
  record Fitted(DataLocation location, List<String> notes) {}

  /** Examines the training rows. */
  Fitted fitted() {
    return fitted(trainPart());
  }

  /** Examines the rows of a part. */
  private Fitted fitted(TextSamples.Part part) {
    if (format == TextFormat.LIBSVM) {
      DataLocation known =
          !location.hasValues() && openLibSvm().signs()
              ? location.withClassNames(List.of("-1", "1"))
              : location;
      return new Fitted(known, List.of());
    }
    if (!(location.table() instanceof TableOptions options)) {
      return new Fitted(location, List.of());
    }
    TableFit.Fitted fitted =
        TableFit.fit(
            file(),
            options,
            location.kind(),
            part::has,
            part.leastRows(),
            location.classes(),
            location.classNames());
    DataLocation known = location.withTable(fitted.schema());
    return new Fitted(
        location.hasValues() ? known : known.withClassNames(fitted.classes()), fitted.notes());
  }

  /** Reads the training samples. */
  Samples train() {
    return format == TextFormat.LIBSVM
        ? openLibSvm().samples()
        : openTable(file(), fitted().location(), trainPart());
  }

  /**
   * Reads the test samples. Their classes and shape are those of the training set, which is read,
   * too, if the location does not contain them.
   */
  Samples test() {
    Optional<Path> testFile = testFile();
    DataFile file = testFile.map(DataFile::at).orElseGet(this::file);
    TextSamples.Part part = testFile.isPresent() ? TextSamples.Part.ALL : TextSamples.Part.TEST;
    if (format == TextFormat.CSV) {
      return openTable(file, fitted().location(), part);
    }
    TextSamples.Expected expected = expected(location);
    boolean classesKnown = location.hasValues() || location.classes() > 0;
    if (testFile.isPresent() && (!classesKnown || location.features() == 0)) {
      TextSamples.Read training = openLibSvm();
      Shape shape = training.samples().shape();
      expected =
          new TextSamples.Expected(
              shape.kind(),
              shape.classes(),
              shape.features(),
              training.signs() ? List.of("-1", "1") : location.classNames());
    }
    return TextSamples.readLibSvm(file, expected, part).samples();
  }

  /**
   * Returns a sentence for each column with texts among the test samples that no training row had.
   */
  List<String> unknownTextsInTest() {
    Optional<Path> testFile = testFile();
    return unknownTexts(
        testFile.map(DataFile::at).orElseGet(this::file),
        testFile.isPresent() ? TextSamples.Part.ALL : TextSamples.Part.TEST);
  }

  /**
   * Returns the sentences of {@link #unknownTextsInTest} for the training samples, if the model was
   * trained on others.
   */
  List<String> unknownTextsInTrain() {
    return unknownTexts(file(), trainPart());
  }

  /** Returns the sentences of {@link #unknownTextsInTest} for all rows of the file. */
  List<String> unknownTextsInAll() {
    return unknownTexts(file(), TextSamples.Part.ALL);
  }

  private List<String> unknownTexts(DataFile file, TextSamples.Part part) {
    boolean mayBeUnseen =
        location.table() instanceof TableSchema schema
            && (schema.missing() == Missing.DROP
                || schema.columns().stream().anyMatch(TableColumn::isText));
    return mayBeUnseen
        ? TextSamples.unseen(file, (TableSchema) location.table(), expected(location), part)
        : List.of();
  }

  /** Returns the first text in the training rows that the table's known columns do not have. */
  Optional<String> firstUnknownTextInTrain() {
    return location.table() instanceof TableSchema schema
            && schema.columns().stream().anyMatch(TableColumn::isText)
        ? TextSamples.firstUnknownText(file(), schema, expected(location), trainPart())
        : Optional.empty();
  }

  /** Returns the line of a table with the first training row that has this label. */
  OptionalInt lineOf(String label) {
    return location.table() instanceof TableSchema schema
        ? TextSamples.lineOf(file(), schema, trainPart(), label)
        : OptionalInt.empty();
  }

  /** Reads all rows, training and test samples alike. */
  Samples all() {
    return switch (format) {
      case CSV -> openTable(file(), fitted(TextSamples.Part.ALL).location(), TextSamples.Part.ALL);
      case LIBSVM ->
          TextSamples.readLibSvm(file(), expected(location), TextSamples.Part.ALL).samples();
    };
  }

  private DataFile file() {
    return DataFile.at(Path.of(location.place()));
  }

  private TextSamples.Read openLibSvm() {
    return TextSamples.readLibSvm(file(), expected(location), trainPart());
  }

  private static Samples openTable(DataFile file, DataLocation known, TextSamples.Part part) {
    return TextSamples.readTable(file, (TableSchema) known.table(), expected(known), part);
  }

  private static TextSamples.Expected expected(DataLocation known) {
    return new TextSamples.Expected(
        known.kind(), known.classes(), known.features(), known.classNames());
  }

  private TextSamples.Part trainPart() {
    return testFile().isPresent() ? TextSamples.Part.ALL : TextSamples.Part.TRAIN;
  }

  private Optional<Path> testFile() {
    String name = TextFormat.stripGz(TextFormat.testName(location.place()));
    for (String candidate : List.of(name, name + ".gz")) {
      if (Files.exists(Path.of(candidate))) {
        return Optional.of(Path.of(candidate));
      }
    }
    return Optional.empty();
  }
}
