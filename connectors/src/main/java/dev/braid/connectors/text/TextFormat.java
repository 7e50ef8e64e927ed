package dev.braid.connectors.text;

import java.util.Locale;
import java.util.Optional;

/** The text formats of samples, told by a file's name. */
public enum TextFormat {
  /** A table: see {@link CsvFile}. */
  CSV,

  /** See {@link LibSvm}. */
  LIBSVM;

  /** Features beyond this are a mistake: one sample would take 64 MiB. */
  public static final int MAX_FEATURES = 1 << 24;

  /** The format of a file of this name, where it has one. */
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

  /** {@code digits.test.csv} for {@code digits.csv}, with or without {@code .gz} as it has it. */
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
