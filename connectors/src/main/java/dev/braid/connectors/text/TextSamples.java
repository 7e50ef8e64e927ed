package dev.braid.connectors.text;

import dev.braid.connectors.file.DataFile;
import dev.braid.learner.MatrixSamples;
import dev.braid.learner.Shape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Reads samples from tables and LibSVM files. If there is no file with test rows next to a file,
 * every tenth of its rows (the 10th, 20th, ...) is a test row, and the others are training rows.
 */
public final class TextSamples {

  public static final int TEST_EVERY = 10;

  /** The rows that are read from a file with training and test rows. */
  public enum Part {
    ALL,
    TRAIN,
    TEST;

    public boolean has(int row) {
      return this == ALL || (row % TEST_EVERY == TEST_EVERY - 1) == (this == TEST);
    }

    /** Returns the part in words, for a sentence. */
    String title() {
      return switch (this) {
        case ALL -> "";
        case TRAIN -> "training ";
        case TEST -> "test ";
      };
    }

    /** Returns the smallest number of rows that the file must have. */
    public int leastRows() {
      return this == ALL ? 1 : TEST_EVERY;
    }
  }

  /**
   * What is known about the data.
   *
   * @param kind whether labels are classes or values
   * @param classes number of classes, or 0 for one more than the greatest label of the training
   *     rows
   * @param features number of features, or 0 for the number in the training rows
   * @param classNames the label of each class; empty for 0, 1, 2 …
   */
  public record Expected(Shape.Kind kind, int classes, int features, List<String> classNames) {
    boolean hasValues() {
      return kind == Shape.Kind.VALUES;
    }
  }

  /**
   * Samples, and the kind of their labels.
   *
   * @param signs whether the labels were -1 and +1
   */
  public record Read(MatrixSamples samples, boolean signs) {}

  private TextSamples() {}

  /** Reads a table's rows. */
  public static MatrixSamples readTable(
      DataFile data, TableSchema schema, Expected expected, Part part) {
    Labels labels = new Labels(expected.classNames());
    try (TableRows table = new TableRows(new CsvFile(data), schema, true)) {
      TextPlace place = table.place();
      if (expected.features() > 0 && expected.features() != schema.features()) {
        throw place.fileError(schema.features() + " features; must be " + expected.features());
      }
      Rows rows = new Rows(place);
      BitSet chosen = new BitSet();
      for (Optional<List<String>> row = table.next(); row.isPresent(); row = table.next()) {
        if (isLeftOut(table, schema, row.get(), expected, labels)) {
          continue;
        }
        chosen.set(rows.size(), part.has(table.number()));
        table.read(row.get(), rows::value);
        if (expected.hasValues()) {
          rows.endRow(table.values(row.get()));
        } else {
          rows.endRow(labels.classOf(place, table.label(row.get())));
        }
      }
      checkRows(place, table.number(), part.leastRows());
      if (chosen.isEmpty()) {
        throw place.fileError("all %srows have gaps and are left out".formatted(part.title()));
      }
      int outputs = expected.hasValues() ? schema.labels().size() : expected.classNames().size();
      Shape shape = new Shape(1, 1, schema.features(), outputs, expected.kind());
      return select(rows, chosen.stream().toArray(), shape);
    }
  }

  /** Returns whether a row has no label, if such rows are omitted. */
  private static boolean isLeftOut(
      TableRows table, TableSchema schema, List<String> row, Expected expected, Labels labels) {
    return schema.missing() == Missing.DROP
        && (expected.hasValues() ? table.lacksValue(row) : labels.isMissing(table.label(row)));
  }

  /** Reads the samples of a LibSVM file. */
  public static Read readLibSvm(DataFile data, Expected expected, Part part) {
    try (NumberedLines file = new NumberedLines(data)) {
      Rows rows = new Rows(file);
      LibSvm.readInto(file, rows, expected.kind());
      checkRows(file, rows.size(), part.leastRows());
      if (expected.hasValues()) {
        Shape shape = new Shape(1, 1, features(file, rows, expected), 1, Shape.Kind.VALUES);
        return new Read(select(rows, rowsOf(rows, part), shape), false);
      }
      boolean signs = expected.classNames().isEmpty() && LibSvm.hasSigns(rows);
      if (signs) {
        LibSvm.mapSigns(file, rows);
      } else if (!expected.classNames().isEmpty()) {
        Labels labels = new Labels(expected.classNames());
        for (int row = 0; row < rows.size(); row++) {
          rows.relabel(row, labels.classOf(file, rows.line(row), rows.label(row)));
        }
      }
      int[] training = rowsOf(rows, part == Part.ALL ? Part.ALL : Part.TRAIN);
      Shape shape = shape(file, rows, training, expected);
      // All rows are checked, for any part, so that opening one part finds every mistake.
      checkLabels(file, rows, shape.classes());
      return new Read(select(rows, rowsOf(rows, part), shape), signs);
    }
  }

  /**
   * Returns sentences about the contents of these rows that the model does not see: for each
   * categorical column, the number of texts that no training row had, and the first of them; and
   * the number of omitted rows.
   */
  public static List<String> unseen(
      DataFile file, TableSchema schema, Expected expected, Part part) {
    try (TableRows rows = new TableRows(new CsvFile(file), schema, true)) {
      int seen = readOver(rows, schema, expected, part);
      List<String> sentences = new ArrayList<>(rows.unknown().sentences(1));
      long all = IntStream.range(0, rows.number()).filter(part::has).count();
      if (seen < all) {
        sentences.add(
            "%s: %d of %d rows have gaps and are left out"
                .formatted(rows.place().name(), all - seen, all));
      }
      return sentences;
    }
  }

  /** Returns the first text that is not a category of its column, with its position. */
  public static Optional<String> firstUnknownText(
      DataFile file, TableSchema schema, Expected expected, Part part) {
    try (TableRows rows = new TableRows(new CsvFile(file), schema, true)) {
      readOver(rows, schema, expected, part);
      return rows.unknown().first();
    }
  }

  /** Reads the rows of a part that are not omitted, and returns their number. */
  private static int readOver(TableRows rows, TableSchema schema, Expected expected, Part part) {
    Labels labels = new Labels(expected.classNames());
    int seen = 0;
    for (Optional<List<String>> row = rows.next(); row.isPresent(); row = rows.next()) {
      if (part.has(rows.number()) && !isLeftOut(rows, schema, row.get(), expected, labels)) {
        rows.read(row.get(), (feature, value) -> {});
        seen++;
      }
    }
    return seen;
  }

  /** Returns the line of a table with the first row of a part that has this label. */
  public static OptionalInt lineOf(DataFile file, TableSchema schema, Part part, String label) {
    try (TableRows rows = new TableRows(new CsvFile(file), schema, true)) {
      for (Optional<List<String>> row = rows.next(); row.isPresent(); row = rows.next()) {
        if (part.has(rows.number()) && rows.label(row.get()).equals(label)) {
          return OptionalInt.of(rows.place().line());
        }
      }
      return OptionalInt.empty();
    }
  }

  /** Checks that there are enough rows, including rows for a test. */
  static void checkRows(TextPlace file, int rows, int least) {
    if (rows == 0) {
      throw file.fileError("has no samples; needs at least 1");
    }
    if (rows < least) {
      throw file.fileError(
          rows
              + " rows; needs "
              + TEST_EVERY
              + ", so that every tenth can be a test row, or a file "
              + TextFormat.testName(file.name()));
    }
  }

  private static int[] rowsOf(Rows rows, Part part) {
    return IntStream.range(0, rows.size()).filter(part::has).toArray();
  }

  private static int features(NumberedLines file, Rows rows, Expected expected) {
    int features = expected.features() > 0 ? expected.features() : rows.width();
    if (rows.width() > features) {
      throw file.fileError("up to " + rows.width() + " features; must be " + features);
    }
    if (features == 0) {
      throw file.fileError("has no features; needs at least 1");
    }
    return features;
  }

  private static Shape shape(NumberedLines file, Rows rows, int[] training, Expected expected) {
    int features = features(file, rows, expected);
    int classes = expected.classes();
    if (classes == 0) {
      classes = 1 + IntStream.of(training).map(rows::label).max().orElse(0);
      if (classes < 2) {
        throw file.fileError("has no label above 0: needs at least 2 classes");
      }
    }
    return Shape.rows(features, classes);
  }

  private static void checkLabels(NumberedLines file, Rows rows, int classes) {
    for (int row = 0; row < rows.size(); row++) {
      int label = rows.label(row);
      if (label < 0 || label >= classes) {
        throw file.error(
            rows.line(row),
            "label %d: 0 to %d are the labels of %d classes"
                .formatted(label, classes - 1, classes));
      }
    }
  }

  private static MatrixSamples select(Rows rows, int[] chosen, Shape shape) {
    return new MatrixSamples(rows.dense(chosen, shape.features()), rows.targets(chosen), shape);
  }
}
