package dev.braid.connectors.text;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import dev.braid.connectors.random.ByteHash;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A column of a table that is a feature or a target. A column of numbers gives one number of a
 * sample. A column of texts gives one number per category: 1 for the text's own category and 0 for
 * the others; a text that is not a category gives 0 for all. A column of hashed texts has buckets
 * instead of categories: the hash of a text decides which bucket is 1.
 *
 * @param index position in a row, from 0
 * @param name name in the header; empty if there is none
 * @param mean number that is subtracted from a number
 * @param deviation number by which the difference is divided
 * @param categories the texts, in the order of the sample's numbers; empty for a column of numbers
 * @param time whether its numbers are written as dates and times
 * @param fill the number that replaces a missing one; NaN if a missing number is a mistake
 * @param buckets number of buckets of a column whose texts are hashed; 0 for any other column
 */
public record TableColumn(
    int index,
    String name,
    double mean,
    double deviation,
    List<String> categories,
    boolean time,
    double fill,
    int buckets)
    implements Serializable {

  /** Distinguishes these hashes from other hashes of the same texts. */
  private static final int SALT = 1;

  /**
   * Checks the numbers.
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
    boolean hasTexts = !categories.isEmpty() || buckets != 0;
    if (Double.isInfinite(fill) || (hasTexts && (time || !Double.isNaN(fill)))) {
      throw new InvalidDataException(
          "column %d: %d categories, filled with %s: a number is needed, and no categories"
              .formatted(index + 1, categories.size(), fill));
    }
    boolean hasBoth = buckets != 0 && !categories.isEmpty();
    if (buckets < 0 || buckets > TextFormat.MAX_FEATURES || hasBoth) {
      throw new InvalidDataException(
          "column %d: %d buckets, %d categories: up to %d buckets are possible, without categories"
              .formatted(index + 1, buckets, categories.size(), TextFormat.MAX_FEATURES));
    }
  }

  /** Creates a column of numbers, or of listed texts. */
  public TableColumn(
      int index,
      String name,
      double mean,
      double deviation,
      List<String> categories,
      boolean time,
      double fill) {
    this(index, name, mean, deviation, categories, time, fill, 0);
  }

  /** Creates a column of numbers that have no gaps and are no dates, or of listed texts. */
  public TableColumn(
      int index, String name, double mean, double deviation, List<String> categories) {
    this(index, name, mean, deviation, categories, false, Double.NaN);
  }

  /** Returns a column of unscaled numbers. */
  public static TableColumn numbers(int index, String name) {
    return new TableColumn(index, name, 0, 1, List.of());
  }

  /** Returns a column of listed texts. */
  static TableColumn texts(int index, String name, List<String> categories) {
    return new TableColumn(index, name, 0, 1, categories);
  }

  /** Returns a column of texts whose hashes choose one of {@code buckets} buckets. */
  public static TableColumn hashed(int index, String name, int buckets) {
    return new TableColumn(index, name, 0, 1, List.of(), false, Double.NaN, buckets);
  }

  /** Returns whether it is a column of texts. */
  public boolean isText() {
    return isHashed() || !categories.isEmpty();
  }

  /** Returns whether the hash of a text decides which number of the sample is 1. */
  public boolean isHashed() {
    return buckets > 0;
  }

  /** Returns the number of a sample's numbers that the column gives. */
  public int width() {
    return isHashed() ? buckets : isText() ? categories.size() : 1;
  }

  /**
   * Returns the bucket of a text, {@code 0 <= bucket < buckets}, in a column of hashed texts. It is
   * the same on every JVM, so that a model's weights keep their meaning.
   */
  public int bucket(String text) {
    int hash = ByteHash.of(text.getBytes(StandardCharsets.UTF_8), SALT);
    return (int) ((Integer.toUnsignedLong(hash) * buckets) >>> Integer.SIZE);
  }

  /** Returns whether cells without a number are filled. */
  public boolean isFilled() {
    return !Double.isNaN(fill);
  }

  /** Returns the number in a cell, unscaled, or the fill if the number is missing. */
  double number(TextPlace place, String cell) {
    if (Missing.is(cell)) {
      if (!isFilled()) {
        throw place.error(
            "%s has no number: %s: a fill in training ('missing: median' of a table, 'fill' of a topic) takes its place"
                .formatted(title(), Texts.quote(cell)));
      }
      return fill;
    }
    double number = parsed(cell);
    if (Double.isNaN(number)) {
      throw time
          ? place.error(
              "%s is no date, as %s needs: %s".formatted(Texts.quote(cell), title(), Dates.FORMS))
          : place.noNumber(cell, " in " + title());
    }
    return number;
  }

  /**
   * Returns the unscaled number of a text: a finite number in the range of float, or in a column of
   * dates and times the days since 1970; NaN for any other text.
   */
  public double parsed(String text) {
    return time ? Dates.days(text).orElse(Double.NaN) : TextPlace.feature(text);
  }

  /** Returns whether numbers are unscaled in the sample. */
  public boolean isPlain() {
    return mean == 0 && deviation == 1;
  }

  /** Returns a number scaled for the sample. */
  public float scaled(double number) {
    return (float) (isPlain() ? number : (number - mean) / deviation);
  }

  /** Returns the number that was scaled to {@code value}. */
  public float unscaled(float value) {
    return isPlain() ? value : (float) (value * deviation + mean);
  }

  /** Returns the column's name or, if it has none, its number. */
  public String shownName() {
    return name.isEmpty() ? "column " + (index + 1) : name;
  }

  /** Returns a text with all properties except the numbers that depend on samples. */
  String form() {
    return "%d %s %s%s%s"
        .formatted(
            index,
            name,
            categories,
            time ? " time" : "",
            isHashed() ? " in " + buckets + " buckets" : "");
  }

  /** Returns the column's name in messages. */
  String title() {
    return title(index, name);
  }

  public static String title(int index, String name) {
    return "column " + (index + 1) + (name.isEmpty() ? "" : " (" + Texts.shorten(name) + ")");
  }
}
