package dev.braid.connectors.text;

import dev.braid.connectors.file.InvalidDataException;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Refuses labels that are likely no classes, or not counted as classes are, unless the user has
 * said how many there are.
 */
public final class LabelCheck {

  /** What to say of labels that may be numbers to predict. */
  public static final String REGRESSION = "; for numbers to predict, use --regression";

  /** A class has this many samples, on average, at least; two classes are always possible. */
  private static final int LEAST_SAMPLES_PER_CLASS = 10;

  /** Labels in a message: enough for those of most data. */
  private static final int SHOWN = 26;

  private LabelCheck() {}

  /**
   * Checks that there are not too many for the samples, and that each has some.
   *
   * @param labels where the labels are, for the message
   * @param used the classes that have training samples
   * @param samples how many there are
   * @param hint what else may be right, for the message
   * @param otherwise the same, for its end
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

  /** Checks that there are not too many for the samples. */
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
