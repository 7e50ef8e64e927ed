package dev.braid.connectors.record;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import dev.braid.connectors.record.RecordForm.Format;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TableSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * Where the fields of a record are in a row of a Flink table, and of which types they are: the
 * features, the labels, and then the key, if it is a field of its own.
 */
final class RecordLayout {

  private static final Pattern AVRO_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /**
   * A field of records: a column, or an array of several.
   *
   * @param slot the position of the field in a row; of an array in CSV, that of its first number
   */
  record Field(String name, List<TableColumn> columns, boolean isArray, int slot) {

    /** The only column of a field that is no array. */
    TableColumn column() {
      return columns.get(0);
    }
  }

  private final Format format;
  private final boolean hasClasses;
  private final String key;
  private final List<Field> features;
  private final List<Field> labels;
  private final int keySlot;

  RecordLayout(Format format, TableSchema schema, boolean regression, String key) {
    this.format = format;
    this.hasClasses = !regression;
    this.key = key;
    this.features = fields(schema.columns(), 0);
    this.labels = fields(schema.labels(), end(features));
    this.keySlot =
        all()
            .filter(field -> field.name().equals(key))
            .findFirst()
            .map(Field::slot)
            .orElse(end(labels));
  }

  private List<Field> fields(List<TableColumn> columns, int firstSlot) {
    List<Field> fields = new ArrayList<>();
    int slot = firstSlot;
    int at = 0;
    while (at < columns.size()) {
      Field field = field(columns, at, slot);
      fields.add(field);
      slot += slots(field);
      at += field.columns().size();
    }
    return fields;
  }

  /** Returns the field that begins with a column. */
  private static Field field(List<TableColumn> columns, int at, int slot) {
    String first = columns.get(at).name();
    if (!first.endsWith("[0]")) {
      return new Field(first, List.of(columns.get(at)), false, slot);
    }
    String name = first.substring(0, first.length() - "[0]".length());
    int end = at + 1;
    while (end < columns.size() && columns.get(end).name().equals(name + "[" + (end - at) + "]")) {
      end++;
    }
    return new Field(name, List.copyOf(columns.subList(at, end)), true, slot);
  }

  private int slots(Field field) {
    return hasCells() ? field.columns().size() : 1;
  }

  private int end(List<Field> fields) {
    Field last = fields.get(fields.size() - 1);
    return last.slot() + slots(last);
  }

  private Stream<Field> all() {
    return Stream.concat(features.stream(), labels.stream());
  }

  /**
   * Checks names and types.
   *
   * @throws InvalidDataException naming the first field that cannot be
   */
  void check() {
    Set<String> names = new HashSet<>();
    all().forEach(field -> check(field, names));
    if (hasClasses && labels.get(0).isArray()) {
      throw mistake(labels.get(0).name(), "an array is no class");
    }
    if (!hasKey()) {
      return;
    }
    checkName(key);
    if (all().anyMatch(field -> field.name().equals(key) && field.isArray())) {
      throw mistake(key, "an array is no key");
    }
  }

  private void check(Field field, Set<String> names) {
    checkName(field.name());
    if (!names.add(field.name())) {
      throw mistake(field.name(), "it is there twice");
    }
    boolean hasTexts = field.columns().stream().anyMatch(it -> it.isText() || it.time());
    if (field.isArray() && hasTexts) {
      throw mistake(field.name(), "an array has numbers only");
    }
  }

  private void checkName(String name) {
    if (name.isBlank() || name.endsWith("]")) {
      throw mistake(
          name, "a name is needed, for an array with [0], [1] and so on behind it, without gaps");
    }
    if (format == Format.AVRO && !AVRO_NAME.matcher(name).matches()) {
      throw mistake(name, "Avro's names have letters, digits and _, and begin with no digit");
    }
  }

  private static InvalidDataException mistake(String name, String mistake) {
    return new InvalidDataException("field " + Texts.quote(name) + ": " + mistake);
  }

  /** The fields of the features, in their order. */
  List<Field> features() {
    return features;
  }

  /** The fields of the labels, in their order. */
  List<Field> labels() {
    return labels;
  }

  /** Whether the key is a field. */
  boolean hasKey() {
    return !key.isEmpty();
  }

  /** The position of the key in a row, if it is a field. */
  int keySlot() {
    return keySlot;
  }

  /** Whether the key is a field that the row has as a float. */
  boolean hasTypedKey() {
    return hasKey() && rowType().getTypeAt(keySlot).getTypeRoot() == LogicalTypeRoot.FLOAT;
  }

  /** The length of the longest array. */
  int longestArray() {
    return all().mapToInt(field -> field.columns().size()).max().orElseThrow();
  }

  /** Whether each number of an array has a position of its own in a row. */
  boolean hasCells() {
    return format == Format.CSV;
  }

  /** Whether the row has numbers of fields that are numbers, rather than their texts. */
  boolean hasTypedNumbers() {
    return format == Format.AVRO;
  }

  /** The type of a row. */
  RowType rowType() {
    List<RowType.RowField> types = new ArrayList<>();
    features.forEach(field -> addTypes(field, false, types));
    labels.forEach(field -> addTypes(field, hasClasses, types));
    if (hasKey() && keySlot == types.size()) {
      types.add(new RowType.RowField(key, text()));
    }
    return new RowType(false, types);
  }

  private void addTypes(Field field, boolean isClass, List<RowType.RowField> types) {
    if (hasCells()) {
      field.columns().forEach(it -> types.add(new RowType.RowField(it.name(), text())));
    } else {
      types.add(new RowType.RowField(field.name(), type(field, isClass)));
    }
  }

  private LogicalType type(Field field, boolean isClass) {
    if (field.isArray()) {
      return new ArrayType(new FloatType());
    }
    boolean isNumber = !isClass && !field.column().isText() && !field.column().time();
    return hasTypedNumbers() && isNumber ? new FloatType() : text();
  }

  private static LogicalType text() {
    return new VarCharType(VarCharType.MAX_LENGTH);
  }
}
