package dev.braid.connectors.text;

import java.util.Locale;
import java.util.Optional;

/** The text formats of samples, recognised by a file's name. */
public enum TextFormat {
  /** A table: see {@link CsvFile}. */
  CSV,

  /** LibSVM's format: see {@link LibSvm}. */
  LIBSVM;

  /** Highest number of features; more are a mistake, because one sample would take 64 MiB. */
  public static final int MAX_FEATURES = 1 << 24;

  /** Returns the format of a file with this name, if it is a text format. */
  public static Optional<TextFormat> of(String fileName) {
    String name = stripGz(fileName).toLowerCase(Locale.ROOT);
    if (name.endsWith(".csv") || name.endsWith(".tsv")) {
      return Optional.of(CSV);
    }
    if (name.endsWith(".libsvm") || name.endsWith(".svm")) {
      return Optional.of(LIBSVM);
    }
    return Optional.empty();
  }

  /**
   * Returns the name of the test file, for example {@code digits.test.csv} for {@code digits.csv},
   * with {@code .gz} if the given name has it.
   */
  public static String testName(String fileName) {
    String stem = stripGz(fileName);
    int dot = stem.lastIndexOf('.');
    return stem.substring(0, dot)
        + ".test"
        + stem.substring(dot)
        + fileName.substring(stem.length());
  }

  public static String stripGz(String fileName) {
    return fileName.endsWith(".gz") ? fileName.substring(0, fileName.length() - 3) : fileName;
  }
}
