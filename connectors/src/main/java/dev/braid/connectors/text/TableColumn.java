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
 */
public record TableColumn(
    int index, String name, double mean, double deviation, List<String> categories)
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

  /** What the sample gets for a number. */
  public float scaled(float number) {
    // Exactly the number where there is nothing to do.
    return mean == 0 && deviation == 1 ? number : (float) ((number - mean) / deviation);
  }

  /** The number that the sample got this for. */
  public float unscaled(float value) {
    return mean == 0 && deviation == 1 ? value : (float) (value * deviation + mean);
  }

  /** What it is called where it needs a name: its own, or its number. */
  public String shownName() {
    return name.isEmpty() ? "column " + (index + 1) : name;
  }

  /** What it is called in messages. */
  String title() {
    return title(index, name);
  }

  public static String title(int index, String name) {
    return "column " + (index + 1) + (name.isEmpty() ? "" : " (" + Texts.shorten(name) + ")");
  }
}
