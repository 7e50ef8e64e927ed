package dev.braid.connectors.text;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** How cells without a number are processed in columns of numbers; a model keeps this choice. */
public enum Missing {
  /** A cell without a number is a mistake. */
  FAIL,

  /** Rows with such cells are omitted, and so are rows without a label. */
  DROP,

  /** Cells without a number get the mean of the column's numbers in the training rows. */
  MEAN,

  /** Cells without a number get the median of the column's numbers in the training rows. */
  MEDIAN;

  /**
   * Marks of missing values, in lower case: those of pandas that people write, and those of Weka, R
   * and spreadsheets.
   */
  private static final Set<String> TEXTS =
      Set.of("", "?", "-", "na", "<na>", "n/a", "#n/a", "nan", "null", "none");

  private static final int LONGEST = 4;

  /** Returns whether a cell in a column of numbers marks a missing value. */
  static boolean is(String cell) {
    return cell.length() <= LONGEST && TEXTS.contains(cell.toLowerCase(Locale.ROOT));
  }

  /** Returns whether cells are filled. */
  public boolean fills() {
    return this == MEAN || this == MEDIAN;
  }

  /** Returns the choice that users type in this form; empty if there is none. */
  public static Optional<Missing> of(String typed) {
    return Arrays.stream(values()).filter(choice -> choice.typed().equals(typed)).findFirst();
  }

  /** Returns the choice in the form that users type. */
  public String typed() {
    return name().toLowerCase(Locale.ROOT);
  }
}
