package dev.braid.connectors.record;

import dev.braid.connectors.file.Texts;
import dev.braid.connectors.text.TableColumn;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads a field of a record as numbers of a sample. */
sealed interface FieldReader {

  /**
   * Writes the field's numbers.
   *
   * @param at position of the first number
   * @return whether all numbers are present; if not, the record must be omitted
   * @throws InvalidRecordException if the field is missing or wrong
   */
  boolean read(RecordFields fields, float[] into, int at);

  /** Returns the number of a sample's numbers that the field gives. */
  int width();

  /**
   * Returns the reader of a field.
   *
   * @param leavesOut whether a record without the number is omitted, rather than invalid
   */
  static FieldReader of(RecordLayout layout, RecordLayout.Field field, boolean leavesOut) {
    TableColumn column = field.column();
    int slot = field.slot();
    if (field.isArray()) {
      List<Numbers> numbers =
          field.columns().stream().map(it -> new Numbers(it, leavesOut)).toList();
      return layout.hasCells()
          ? new Cells(numbers, slot)
          : new NumberArray(field.name(), numbers, slot);
    }
    if (column.isHashed()) {
      return new HashedText(column, slot);
    }
    if (column.isText()) {
      return new Category(column, slot, numbered(column.categories()));
    }
    return new Cells(List.of(new Numbers(column, leavesOut)), slot);
  }

  /** Returns the position of each text in a list. */
  static Map<String, Integer> numbered(List<String> texts) {
    Map<String, Integer> numbers = new HashMap<>();
    for (int i = 0; i < texts.size(); i++) {
      numbers.put(texts.get(i), i);
    }
    return numbers;
  }

  /** The numbers of one column. */
  record Numbers(TableColumn column, boolean leavesOut) {

    /** Writes a number, scaled for the sample. */
    void write(double number, float[] into, int at) {
      float scaled = column.scaled(number);
      if (!Float.isFinite(scaled)) {
        throw new InvalidRecordException(
            column.name() + ": " + number + " is not a finite number in the range of float");
      }
      into[at] = scaled;
    }

    /** Writes the replacement of a missing number; returns false if the record is omitted. */
    boolean fill(float[] into, int at) {
      if (column.isFilled()) {
        write(column.fill(), into, at);
        return true;
      }
      if (leavesOut) {
        return false;
      }
      throw new InvalidRecordException(column.name() + ": has no number");
    }

    /** Writes the number at a slot; returns false if the record is omitted. */
    boolean read(RecordFields fields, int slot, float[] into, int at) {
      if (!column.time()) {
        float number = fields.number(slot);
        if (!Float.isNaN(number)) {
          write(number, into, at);
          return true;
        }
      }
      return read(fields.text(slot), into, at);
    }

    private boolean read(String text, float[] into, int at) {
      if (text.isEmpty()) {
        return fill(into, at);
      }
      double number = column.parsed(text);
      if (Double.isNaN(number)) {
        throw new InvalidRecordException(
            column.name()
                + ": "
                + Texts.quote(text)
                + (column.time()
                    ? " is no date in ISO 8601"
                    : " is not a finite number that fits"));
      }
      write(number, into, at);
      return true;
    }
  }

  /** Numbers or dates, each at its own slot. */
  record Cells(List<Numbers> numbers, int slot) implements FieldReader {

    @Override
    public boolean read(RecordFields fields, float[] into, int at) {
      boolean isWhole = true;
      for (int i = 0; i < numbers.size(); i++) {
        isWhole &= numbers.get(i).read(fields, slot + i, into, at + i);
      }
      return isWhole;
    }

    @Override
    public int width() {
      return numbers.size();
    }
  }

  /** An array of numbers. */
  record NumberArray(String name, List<Numbers> numbers, int slot, boolean isPlain)
      implements FieldReader {

    /**
     * Creates the reader.
     *
     * @param numbers the elements
     */
    NumberArray(String name, List<Numbers> numbers, int slot) {
      this(name, numbers, slot, numbers.stream().allMatch(it -> it.column().isPlain()));
    }

    @Override
    public boolean read(RecordFields fields, float[] into, int at) {
      int width = numbers.size();
      if (fields.isNull(slot)) {
        Arrays.fill(into, at, at + width, RecordFields.NONE);
      } else {
        int length = fields.numbers(slot, into, at, width);
        if (length != width) {
          throw new InvalidRecordException(
              "%s: %d numbers: %d are needed".formatted(name, length, width));
        }
      }
      boolean isWhole = true;
      for (int i = 0; i < width; i++) {
        float number = into[at + i];
        if (isPlain && Float.isFinite(number)) {
          continue;
        }
        if (RecordFields.isNone(number)) {
          isWhole &= numbers.get(i).fill(into, at + i);
        } else {
          numbers.get(i).write(number, into, at + i);
        }
      }
      return isWhole;
    }

    @Override
    public int width() {
      return numbers.size();
    }
  }

  /** A text that is a category: the number of its category is 1, and the others are 0. */
  record Category(TableColumn column, int slot, Map<String, Integer> categories)
      implements FieldReader {

    @Override
    public boolean read(RecordFields fields, float[] into, int at) {
      Arrays.fill(into, at, at + width(), 0);
      Integer category = categories.get(fields.text(slot));
      if (category != null) {
        into[at + category] = 1;
      }
      return true;
    }

    @Override
    public int width() {
      return column.width();
    }
  }

  /** A text whose hash chooses the number of the sample that is 1. */
  record HashedText(TableColumn column, int slot) implements FieldReader {

    @Override
    public boolean read(RecordFields fields, float[] into, int at) {
      Arrays.fill(into, at, at + width(), 0);
      into[at + column.bucket(fields.text(slot))] = 1;
      return true;
    }

    @Override
    public int width() {
      return column.width();
    }
  }
}
