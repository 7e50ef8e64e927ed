package dev.braid.job.console;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggestions for unknown names. */
public final class Typo {

  /** Maximum number of changed letters in a suggestion. */
  private static final int MOST_CHANGES = 2;

  private Typo() {}

  /**
   * Returns the name with the fewest changed letters, if few enough; otherwise an option that has a
   * few words more or fewer at its beginning. A change of case does not count.
   */
  static Optional<String> nearest(String word, Collection<String> names) {
    Comparator<String> byChanges =
        Comparator.comparingInt((String name) -> changes(word, name))
            .thenComparing(Comparator.naturalOrder());
    return names.stream()
        .filter(name -> changes(word, name) <= Math.min(MOST_CHANGES, word.length() / 2))
        .min(byChanges)
        .or(() -> names.stream().filter(name -> endAlike(word, name)).min(byChanges));
  }

  /**
   * Returns whether one of two options ends with the words of the other, as {@code --chaos-topic}
   * does with {@code --topic}.
   */
  private static boolean endAlike(String word, String name) {
    return word.startsWith("--")
        && name.startsWith("--")
        && (word.endsWith(name.substring(1)) || name.endsWith(word.substring(1)));
  }

  /**
   * Returns the nearest name as a question for the end of a message; empty if no name is near, or
   * if the word is one of the names, so that the error must be another one.
   */
  public static String question(String word, Collection<String> names) {
    return names.contains(word)
        ? ""
        : nearest(word, names).map(name -> "; did you mean " + name + "?").orElse("");
  }

  private static int changes(String word, String name) {
    return distance(word.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
  }

  /**
   * Returns the number of letters to add, remove, replace, or swap with the next one (optimal
   * string alignment distance).
   */
  static int distance(String from, String to) {
    int[][] changes = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        changes[i][j] = i == 0 || j == 0 ? i + j : least(changes, from, to, i, j);
      }
    }
    return changes[from.length()][to.length()];
  }

  private static int least(int[][] changes, String from, String to, int i, int j) {
    int replaced = changes[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
    int least = Math.min(replaced, 1 + Math.min(changes[i - 1][j], changes[i][j - 1]));
    boolean isSwapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return isSwapped ? Math.min(least, 1 + changes[i - 2][j - 2]) : least;
  }
}
