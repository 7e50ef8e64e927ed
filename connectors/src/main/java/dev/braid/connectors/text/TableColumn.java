package dev.braid.connectors.text;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import java.io.Serializable;
import java.util.List;

/**
 * A column of a table that is a feature, or what is to be predicted: a number, which gives one
 * number of a sample, or a text, which gives as many as there are categories, 1 for its own and 0
 * for the others; a text that is none of them gives 0 for all.
 *
 * @param index where it is in a row, from 0
 * @param name in the header; empty where there is none
 * @param mean what is subtracted from a number
 * @param deviation what it is divided by then
 * @param categories the texts, in the order of the sample's numbers; none for a column of numbers
 * @param time whether its numbers are written as dates and times
 * @param fill the number of a cell that has none; NaN where that is a mistake
 */
public record TableColumn(
    int index,
    String name,
    double mean,
    double deviation,
    List<String> categories,
    boolean time,
    double fill)
    implements Serializable {

  /**
   * Checks its numbers.
   *
   * @throws InvalidDataException if they are impossible
   */
  public TableColumn {
    categories = List.copyOf(categories);
    if (index < 0 || !Double.isFinite(mean) || !(deviation > 0) || Double.isInfinite(deviation)) {
      throw new InvalidDataException(
          "column %d: mean %s, deviation %s: numbers and a deviation above 0 are needed"
              .formatted(index + 1, mean, deviation));
    }
    if (Double.isInfinite(fill) || (!categories.isEmpty() && (time || !Double.isNaN(fill)))) {
      throw new InvalidDataException(
          "column %d: %d categories, filled with %s: a number is needed, and no categories"
              .formatted(index + 1, categories.size(), fill));
    }
  }

  /** A column of plain numbers without gaps, or of texts. */
  public TableColumn(
      int index, String name, double mean, double deviation, List<String> categories) {
    this(index, name, mean, deviation, categories, false, Double.NaN);
  }

  /** A column of numbers that are taken as they are. */
  public static TableColumn numbers(int index, String name) {
    return new TableColumn(index, name, 0, 1, List.of());
  }

  /** A column of texts. */
  static TableColumn texts(int index, String name, List<String> categories) {
    return new TableColumn(index, name, 0, 1, categories);
  }

  /** Whether it is one of texts. */
  public boolean isText() {
    return !categories.isEmpty();
  }

  /** How many numbers of a sample it gives. */
  public int width() {
    return isText() ? categories.size() : 1;
  }

  /** Whether cells without a number are filled. */
  boolean isFilled() {
    return !Double.isNaN(fill);
  }

  /** Returns the number in a cell, unscaled, or the one that fills it. */
  double number(TextPlace place, String cell) {
    if (Missing.is(cell)) {
      if (!isFilled()) {
        throw place.error(
            "%s has no number: %s: 'missing: median' in training fills such cells"
                .formatted(title(), Texts.quote(cell)));
      }
      return fill;
    }
    if (time) {
      return Dates.days(cell)
          .orElseThrow(
              () ->
                  place.error(
                      "%s is no date, as %s needs: %s"
                          .formatted(Texts.quote(cell), title(), Dates.FORMS)));
    }
    float number = TextPlace.feature(cell);
    if (Float.isNaN(number)) {
      throw place.noNumber(cell, " in " + title());
    }
    return number;
  }

  /** What the sample gets for a number. */
  public float scaled(double number) {
    // Exactly the number where there is nothing to do.
    return (float) (mean == 0 && deviation == 1 ? number : (number - mean) / deviation);
  }

  /** The number that the sample got this for. */
  public float unscaled(float value) {
    return mean == 0 && deviation == 1 ? value : (float) (value * deviation + mean);
  }

  /** What it is called where it needs a name: its own, or its number. */
  public String shownName() {
    return name.isEmpty() ? "column " + (index + 1) : name;
  }

  /** Returns all of it but the numbers that come from samples. */
  String form() {
    return "%d %s %s%s".formatted(index, name, categories, time ? " time" : "");
  }

  /** What it is called in messages. */
  String title() {
    return title(index, name);
  }

  public static String title(int index, String name) {
    return "column " + (index + 1) + (name.isEmpty() ? "" : " (" + Texts.shorten(name) + ")");
  }
}
