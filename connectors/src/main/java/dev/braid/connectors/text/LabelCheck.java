package dev.braid.connectors.text;

import dev.braid.connectors.file.InvalidDataException;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Rejects labels that are probably not classes, or not numbered as classes, unless the user has
 * stated the number of classes.
 */
public final class LabelCheck {

  /** Advice for labels that may be numbers to predict. */
  public static final String REGRESSION = "; for numbers to predict, use `regression`";

  /** Smallest average number of samples per class; two classes are always possible. */
  private static final int LEAST_SAMPLES_PER_CLASS = 10;

  /** Highest number of labels in a message, enough for most data. */
  private static final int SHOWN = 26;

  private LabelCheck() {}

  /**
   * Checks that there are not too many classes for the samples, and that each class has samples.
   *
   * @param labels location of the labels, for the message
   * @param used the classes that have training samples
   * @param samples number of training samples
   * @param hint alternative advice, for the middle of the message
   * @param otherwise alternative advice, for the end of the message
   */
  public static void check(String labels, BitSet used, int samples, String hint, String otherwise) {
    checkCount(labels, used.cardinality(), samples, hint, otherwise);
    if (used.cardinality() == used.length()) {
      return;
    }
    throw new InvalidDataException(
        "%s: no training sample of class %s: give 'classes: %s' if these are all, or 'classes: %d' if there are more%s"
            .formatted(labels, unused(used), used(used), used.length(), otherwise));
  }

  /** Checks that there are not too many classes for the samples. */
  static void checkCount(String labels, int classes, int samples, String hint, String otherwise) {
    if (classes > 2 && (long) classes * LEAST_SAMPLES_PER_CLASS > samples) {
      throw new InvalidDataException(
          "%s: %,d classes in %,d training samples, less than %d samples of each: %s'classes: %d', if it is right%s"
              .formatted(
                  labels, classes, samples, LEAST_SAMPLES_PER_CLASS, hint, classes, otherwise));
    }
  }

  private static String unused(BitSet used) {
    List<String> unused =
        IntStream.range(0, used.length())
            .filter(label -> !used.get(label))
            .limit(SHOWN)
            .mapToObj(Integer::toString)
            .toList();
    int more = used.length() - used.cardinality() - unused.size();
    return String.join(", ", unused) + (more > 0 ? " and %,d more".formatted(more) : "");
  }

  private static String used(BitSet used) {
    String first =
        used.stream().limit(SHOWN).mapToObj(Integer::toString).collect(Collectors.joining(","));
    return used.cardinality() > SHOWN ? first + ",…" : first;
  }
}
