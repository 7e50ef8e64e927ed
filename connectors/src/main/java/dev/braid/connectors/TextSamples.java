package dev.braid.connectors;

import dev.braid.learner.MatrixSamples;
import dev.braid.learner.Shape;
import java.util.stream.IntStream;

/**
 * Reads CSV and LibSVM files into samples. Where no file with test rows stands beside a file, every
 * tenth of its rows (the 10th, 20th, ...) is a test row and the others train.
 */
final class TextSamples {

  private static final int TEST_EVERY = 10;

  /**
   * What the user has said of the data.
   *
   * @param classes how many classes, or 0 for one more than the greatest label of the training rows
   * @param features how many features, or 0 for as many as the training rows have
   */
  record Expected(int classes, int features) {

    static Expected of(Shape shape) {
      return new Expected(shape.classes(), shape.features());
    }
  }

  private TextSamples() {}

  /** Reads all rows of a file. */
  static MatrixSamples read(DataFile data, TextFormat format, Expected expected) {
    try (TextFile file = new TextFile(data)) {
      Rows rows = readRows(file, format);
      int[] all = IntStream.range(0, rows.size()).toArray();
      return select(file, rows, all, shape(file, rows, all, format, expected));
    }
  }

  /** Reads the training rows, or the test rows, of a file that has both. */
  static MatrixSamples readPart(
      DataFile data, TextFormat format, Expected expected, boolean testRows) {
    try (TextFile file = new TextFile(data)) {
      Rows rows = readRows(file, format);
      if (rows.size() < TEST_EVERY) {
        throw file.fileError(
            rows.size()
                + " rows: "
                + TEST_EVERY
                + " are needed to set every tenth aside for"
                + " testing, or a file "
                + TextFormat.testName(data.name()));
      }
      int[] train = select(rows, false);
      Shape shape = shape(file, rows, train, format, expected);
      MatrixSamples training = select(file, rows, train, shape);
      // Both parts are checked whichever is asked for, so that opening one finds every mistake.
      MatrixSamples testing = select(file, rows, select(rows, true), shape);
      return testRows ? testing : training;
    }
  }

  private static Rows readRows(TextFile file, TextFormat format) {
    Rows rows = new Rows(file);
    format.readInto(file, rows);
    if (rows.size() == 0) {
      throw file.fileError("no samples: at least 1 is needed");
    }
    return rows;
  }

  private static int[] select(Rows rows, boolean testRows) {
    return IntStream.range(0, rows.size())
        .filter(row -> (row % TEST_EVERY == TEST_EVERY - 1) == testRows)
        .toArray();
  }

  private static Shape shape(
      TextFile file, Rows rows, int[] training, TextFormat format, Expected expected) {
    int features = expected.features() > 0 ? expected.features() : rows.width();
    if (rows.width() > features || (format == TextFormat.CSV && rows.width() != features)) {
      throw file.fileError(
          (format == TextFormat.CSV ? "" : "up to ")
              + rows.width()
              + " features: "
              + features
              + " are expected");
    }
    if (features == 0) {
      throw file.fileError("no features: at least 1 is needed");
    }
    int classes = expected.classes();
    if (classes == 0) {
      classes = 1 + IntStream.of(training).map(rows::label).max().orElse(0);
      if (classes < 2) {
        throw file.fileError("no label above 0: at least 2 classes are needed");
      }
    }
    return Shape.rows(features, classes);
  }

  private static MatrixSamples select(TextFile file, Rows rows, int[] chosen, Shape shape) {
    for (int row : chosen) {
      int label = rows.label(row);
      if (label < 0 || label >= shape.classes()) {
        throw file.error(
            rows.line(row),
            "label "
                + label
                + ": 0 to "
                + (shape.classes() - 1)
                + " are the labels of "
                + shape.classes()
                + " classes");
      }
    }
    return new MatrixSamples(rows.dense(chosen, shape.features()), rows.labels(chosen), shape);
  }
}
