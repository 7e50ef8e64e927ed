package dev.braid.connectors.text;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** How cells without a number are processed in columns of numbers; a model keeps its choice. */
public enum Missing {
  /** They are a mistake. */
  FAIL,

  /** Their rows are left out, and so are rows without a label. */
  DROP,

  /** They become the mean of the column's numbers in the training rows. */
  MEAN,

  /** They become the median of the column's numbers in the training rows. */
  MEDIAN;

  /** In lower case. Those of pandas that people write, and those of Weka, R and spreadsheets. */
  private static final Set<String> TEXTS =
      Set.of("", "?", "-", "na", "<na>", "n/a", "#n/a", "nan", "null", "none");

  private static final int LONGEST = 4;

  /** Whether a cell of a column of numbers says that there is none. */
  static boolean is(String cell) {
    return cell.length() <= LONGEST && TEXTS.contains(cell.toLowerCase(Locale.ROOT));
  }

  /** Whether cells are filled. */
  public boolean fills() {
    return this == MEAN || this == MEDIAN;
  }

  /** Returns the choice that users type so; nothing if there is none. */
  public static Optional<Missing> of(String typed) {
    return Arrays.stream(values()).filter(choice -> choice.typed().equals(typed)).findFirst();
  }

  /** The choice as users type it. */
  public String typed() {
    return name().toLowerCase(Locale.ROOT);
  }
}
