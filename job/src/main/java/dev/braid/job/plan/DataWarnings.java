package dev.braid.job.plan;

import dev.braid.connectors.DataLocation;
import dev.braid.job.console.Typo;
import dev.braid.job.options.TrainOptions;
import dev.braid.text.Printable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Warnings, one line each, about data that can be used but is probably not what the user wants. */
final class DataWarnings {

  /** Mean number of samples per class below which a class with one sample is not reported. */
  private static final int SAMPLES_PER_CLASS = 10;

  private static final int SHOWN_CLASSES = 3;
  private static final int SHOWN_LETTERS = 60;

  private DataWarnings() {}

  static List<String> of(TrainOptions options, DataLocation.Contents contents) {
    List<String> warnings = new ArrayList<>();
    int share = (contents.train().samples() + options.workers() - 1) / options.workers();
    if (options.learning().batch() > share && !options.isFullBatch()) {
      warnings.add(
          format(
              "--batch %d: a worker's share of the %,d training samples is only %,d, so that "
                  + "each epoch is one round",
              options.learning().batch(), contents.train().samples(), share));
    }
    warnings.addAll(singleSamples(contents));
    testedOnOneClass(contents).ifPresent(warnings::add);
    warnings.addAll(contents.location().unknownTextsInTest());
    contents.location().textsWithGaps().stream()
        .map(column -> plain(column) + ": empty cells are treated as a category")
        .forEach(warnings::add);
    return warnings;
  }

  /** Returns a warning if every test sample is of the same class. */
  static Optional<String> testedOnOneClass(DataLocation.Contents contents) {
    int only = contents.test().classCounts().indexOf(contents.test().samples());
    // A single sample always has one class.
    return only < 0 || contents.test().samples() == 1
        ? Optional.empty()
        : Optional.of(
            format(
                "all test samples (%,d) are of class %s: the test accuracy does not cover "
                    + "other classes",
                contents.test().samples(), plain(contents.location().classNames().get(only))));
  }

  private static List<String> singleSamples(DataLocation.Contents contents) {
    List<Integer> counts = contents.train().classCounts();
    List<String> names = contents.location().classNames();
    if (contents.train().samples() < SAMPLES_PER_CLASS * counts.size()) {
      return List.of();
    }
    List<String> warnings = new ArrayList<>();
    int more = 0;
    for (int i = 0; i < counts.size(); i++) {
      if (counts.get(i) == 1 && warnings.size() < SHOWN_CLASSES) {
        warnings.add(singleSample(contents.location(), names.get(i)));
      } else if (counts.get(i) == 1) {
        more++;
      }
    }
    if (more > 0) {
      warnings.add(format("%,d more classes have only one training sample", more));
    }
    return warnings;
  }

  private static String singleSample(DataLocation data, String label) {
    OptionalInt line = data.lineOf(label);
    Set<String> others = new HashSet<>(data.classNames());
    others.remove(label);
    boolean isNumber = label.chars().allMatch(Character::isDigit);
    return format(
        "class %s has only one training sample%s: perhaps a misspelt label%s",
        plain(label),
        line.isPresent() ? format(", in line %d", line.getAsInt()) : "",
        isNumber ? "" : plain(Typo.question(label, others)));
  }

  /** Shortens and escapes a foreign text, which may be long or contain control characters. */
  private static String plain(String text) {
    return Printable.of(
        text.length() <= SHOWN_LETTERS ? text : text.substring(0, SHOWN_LETTERS) + "…");
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
