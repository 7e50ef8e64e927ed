package dev.braid.connectors.text;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import dev.braid.connectors.random.ByteHash;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A column of a table that is a feature, or what is to be predicted: a number, which gives one
 * number of a sample, or a text, which gives as many as there are categories, 1 for its own and 0
 * for the others; a text that is none of them gives 0 for all. A column of texts that are not
 * listed has buckets instead of categories: the hash of a text decides which bucket is 1.
 *
 * @param index where it is in a row, from 0
 * @param name in the header; empty where there is none
 * @param mean what is subtracted from a number
 * @param deviation what it is divided by then
 * @param categories the texts, in the order of the sample's numbers; none for a column of numbers
 * @param time whether its numbers are written as dates and times
 * @param fill the number of a cell that has none; NaN where that is a mistake
 * @param buckets the number of buckets of a column whose texts are hashed; 0 for any other column
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

  /** Tells these hashes apart from others of the same texts. */
  private static final int SALT = 1;

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

  /** A column of numbers, or of texts that are listed. */
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

  /** A column of texts whose hashes choose one of so many buckets. */
  public static TableColumn hashed(int index, String name, int buckets) {
    return new TableColumn(index, name, 0, 1, List.of(), false, Double.NaN, buckets);
  }

  /** Whether it is one of texts. */
  public boolean isText() {
    return isHashed() || !categories.isEmpty();
  }

  /** Whether the hash of a text decides which number of the sample is 1. */
  public boolean isHashed() {
    return buckets > 0;
  }

  /** How many numbers of a sample it gives. */
  public int width() {
    return isHashed() ? buckets : isText() ? categories.size() : 1;
  }

  /**
   * Returns the bucket of a text, {@code 0 <= bucket < buckets}, in a column of hashed texts. It is
   * the same on every JVM: a model keeps what its weights stand for.
   */
  public int bucket(String text) {
    int hash = ByteHash.of(text.getBytes(StandardCharsets.UTF_8), SALT);
    return (int) ((Integer.toUnsignedLong(hash) * buckets) >>> Integer.SIZE);
  }

  /** Whether cells without a number are filled. */
  public boolean isFilled() {
    return !Double.isNaN(fill);
  }

  /** Returns the number in a cell, unscaled, or the one that fills it. */
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
   * Returns the number that a text is, unscaled: a finite number that a float can hold, or in a
   * column of dates and times the days since 1970; NaN for any other text.
   */
  public double parsed(String text) {
    return time ? Dates.days(text).orElse(Double.NaN) : TextPlace.feature(text);
  }

  /** Returns whether the sample gets numbers as they are. */
  public boolean isPlain() {
    return mean == 0 && deviation == 1;
  }

  /** What the sample gets for a number. */
  public float scaled(double number) {
    return (float) (isPlain() ? number : (number - mean) / deviation);
  }

  /** The number that the sample got this for. */
  public float unscaled(float value) {
    return isPlain() ? value : (float) (value * deviation + mean);
  }

  /** What it is called where it needs a name: its own, or its number. */
  public String shownName() {
    return name.isEmpty() ? "column " + (index + 1) : name;
  }

  /** Returns all of it but the numbers that come from samples. */
  String form() {
    return "%d %s %s%s%s"
        .formatted(
            index,
            name,
            categories,
            time ? " time" : "",
            isHashed() ? " in " + buckets + " buckets" : "");
  }

  /** What it is called in messages. */
  String title() {
    return title(index, name);
  }

  public static String title(int index, String name) {
    return "column " + (index + 1) + (name.isEmpty() ? "" : " (" + Texts.shorten(name) + ")");
  }
}
