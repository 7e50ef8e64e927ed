package dev.braid.job.console;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** What a user may have meant by a name that there is not. */
public final class Typo {

  /** As many as when two letters have changed places; with more, it is another word. */
  private static final int MOST_CHANGES = 2;

  private Typo() {}

  /** The name that takes the fewest changes of a letter, unless it takes too many. */
  static Optional<String> nearest(String word, Collection<String> names) {
    return names.stream()
        .filter(name -> distance(word, name) <= Math.min(MOST_CHANGES, word.length() / 2))
        .min(
            Comparator.comparingInt((String name) -> distance(word, name))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** The nearest name as a question at the end of a message; nothing if none is near. */
  public static String question(String word, Collection<String> names) {
    return nearest(word, names).map(name -> "; did you mean " + name + "?").orElse("");
  }

  /** How many letters are to be added, removed or replaced (Levenshtein). */
  static int distance(String from, String to) {
    int[] above = new int[to.length() + 1];
    for (int j = 0; j < above.length; j++) {
      above[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] row = new int[above.length];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[to.length()];
  }
}
