package dev.braid.job.console;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** What a user may have meant by a name that there is not. */
public final class Typo {

  /** With more, it is another word. */
  private static final int MOST_CHANGES = 2;

  private Typo() {}

  /**
   * The name that takes the fewest changes of a letter, unless it takes too many; then an option
   * with a word more or less in front. That a letter is a capital is no change.
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

  /** Of two options, whether one is the other's last words, as {@code --topic} of others'. */
  private static boolean endAlike(String word, String name) {
    return word.startsWith("--")
        && name.startsWith("--")
        && (word.endsWith(name.substring(1)) || name.endsWith(word.substring(1)));
  }

  /**
   * The nearest name as a question at the end of a message; nothing if none is near, or the word is
   * one of the names, so that something else is wrong.
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
   * How many letters are to be added, removed or replaced, or have changed places with the next
   * (optimal string alignment).
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
