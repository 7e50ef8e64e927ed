package dev.braid.connectors.record;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import dev.braid.connectors.record.RecordForm.Format;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TableSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Order and types of the fields of a record: the features, the labels, the weight, if there is one,
 * and then the key, if it is a separate field.
 */
final class RecordLayout {

  private static final Pattern AVRO_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /**
   * A field of records: a column, or an array of several columns.
   *
   * @param slot the position of the field in a row; for an array in CSV, the position of its first
   *     number
   */
  record Field(String name, List<TableColumn> columns, boolean isArray, int slot) {

    /** Returns the only column of a field that is not an array. */
    TableColumn column() {
      return columns.get(0);
    }
  }

  /**
   * A position of a row.
   *
   * @param name name of its field; in CSV, of its column
   * @param width length of an array; 1 for anything else
   */
  record Slot(String name, Kind kind, int width) {

    /** Type of the field, unless it is null. */
    enum Kind {
      NUMBER,
      TEXT,
      NUMBERS
    }
  }

  private final Format format;
  private final boolean hasClasses;
  private final String key;
  private final List<Field> features;
  private final List<Field> labels;
  private final Optional<Field> weight;
  private final int keySlot;

  RecordLayout(Format format, TableSchema schema, boolean regression, String weight, String key) {
    this.format = format;
    this.hasClasses = !regression;
    this.key = key;
    this.features = fields(schema.columns(), 0);
    this.labels = fields(schema.labels(), end(features));
    int behind = end(labels);
    this.weight =
        weight.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Field(weight, List.of(TableColumn.numbers(behind, weight)), false, behind));
    this.keySlot =
        all()
            .filter(field -> field.name().equals(key))
            .findFirst()
            .map(Field::slot)
            .orElse(behind + (weight.isEmpty() ? 0 : 1));
  }

  private List<Field> fields(List<TableColumn> columns, int firstSlot) {
    List<Field> fields = new ArrayList<>();
    int slot = firstSlot;
    for (TableSchema.Group group : TableSchema.groups(columns)) {
      Field field = new Field(group.name(), group.columns(), group.isArray(), slot);
      fields.add(field);
      slot += slots(field);
    }
    return fields;
  }

  private int slots(Field field) {
    return hasCells() ? field.columns().size() : 1;
  }

  private int end(List<Field> fields) {
    Field last = fields.get(fields.size() - 1);
    return last.slot() + slots(last);
  }

  private Stream<Field> all() {
    return Stream.of(features.stream(), labels.stream(), weight.stream()).flatMap(it -> it);
  }

  /**
   * Checks names and types.
   *
   * @throws InvalidDataException with the first invalid field
   */
  void check() {
    Set<String> names = new HashSet<>();
    all().forEach(field -> check(field, names));
    if (hasClasses && labels.get(0).isArray()) {
      throw mistake(labels.get(0).name(), "an array cannot be a class");
    }
    if (!hasKey()) {
      return;
    }
    checkName(key);
    if (all().anyMatch(field -> field.name().equals(key) && field.isArray())) {
      throw mistake(key, "an array cannot be a key");
    }
  }

  private void check(Field field, Set<String> names) {
    checkName(field.name());
    if (!names.add(field.name())) {
      throw mistake(field.name(), "is given twice");
    }
    boolean hasTexts = field.columns().stream().anyMatch(it -> it.isText() || it.time());
    if (field.isArray() && hasTexts) {
      throw mistake(field.name(), "an array can have only numbers");
    }
  }

  private void checkName(String name) {
    if (name.isBlank() || name.endsWith("]")) {
      throw mistake(
          name, "must be a name; for an array, with [0], [1] and so on after it, without gaps");
    }
    if (format == Format.AVRO && !AVRO_NAME.matcher(name).matches()) {
      throw mistake(
          name, "names in Avro have letters, digits and _, and do not begin with a digit");
    }
  }

  private static InvalidDataException mistake(String name, String mistake) {
    return new InvalidDataException("field " + Texts.quote(name) + ": " + mistake);
  }

  /** Returns the fields of the features, in their order. */
  List<Field> features() {
    return features;
  }

  /** Returns the fields of the labels, in their order. */
  List<Field> labels() {
    return labels;
  }

  /** Returns the field of the weight, if there is one. */
  Optional<Field> weight() {
    return weight;
  }

  /** Returns whether the key is a field. */
  boolean hasKey() {
    return !key.isEmpty();
  }

  /** Returns the position of the key in a row, if it is a field. */
  int keySlot() {
    return keySlot;
  }

  /** Returns whether each number of an array has its own position in a row. */
  boolean hasCells() {
    return format == Format.CSV;
  }

  /** Returns the field or the number at each position of a row. */
  List<Slot> slots() {
    List<Slot> slots = new ArrayList<>();
    features.forEach(field -> addSlots(field, false, slots));
    labels.forEach(field -> addSlots(field, hasClasses, slots));
    weight.ifPresent(field -> addSlots(field, false, slots));
    if (hasKey() && keySlot == slots.size()) {
      slots.add(new Slot(key, Slot.Kind.TEXT, 1));
    }
    return List.copyOf(slots);
  }

  private void addSlots(Field field, boolean isClass, List<Slot> slots) {
    if (hasCells()) {
      field.columns().forEach(it -> slots.add(new Slot(it.name(), Slot.Kind.TEXT, 1)));
    } else {
      slots.add(new Slot(field.name(), kind(field, isClass), field.columns().size()));
    }
  }

  private Slot.Kind kind(Field field, boolean isClass) {
    if (field.isArray()) {
      return Slot.Kind.NUMBERS;
    }
    boolean isNumber = !isClass && !field.column().isText() && !field.column().time();
    // A key's hash depends on its text, so the key is read as text.
    boolean isJsonKey = format == Format.JSON && field.name().equals(key);
    return isNumber && !isJsonKey ? Slot.Kind.NUMBER : Slot.Kind.TEXT;
  }
}
