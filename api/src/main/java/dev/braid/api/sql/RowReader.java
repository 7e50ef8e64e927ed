package dev.braid.api.sql;

import dev.braid.connectors.image.ImageOptions;
import dev.braid.connectors.record.InvalidRecordException;
import dev.braid.connectors.text.TableColumn;
import dev.braid.learner.Shape;
import dev.braid.run.scoring.FeatureReader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;

/**
 * Reads the features of rows.
 *
 * @param images how pixels are normalised
 */
record RowReader(Shape shape, List<Field> fields, ImageOptions images)
    implements FeatureReader<RowData> {

  /** Reads a column of a row as numbers of a sample. */
  sealed interface Field {

    /** Writes the numbers from a position on, and returns the position after them. */
    int read(RowData row, float[] into, int at);
  }

  @Override
  public void read(RowData row, float[] into, int offset) {
    int at = offset;
    for (Field field : fields) {
      at = field.read(row, into, at);
    }
    images.normalize(into, offset, at - offset);
  }

  private static float number(@Nullable Object value, String name, TableColumn column) {
    boolean isMissing =
        value == null || (value instanceof StringData text && text.toString().isBlank());
    if (isMissing) {
      return filled(name, column);
    }
    float number = column.scaled(InputColumn.number(value, column));
    return Float.isFinite(number) ? number : notFinite(name, value);
  }

  private static float filled(String name, TableColumn column) {
    if (!column.isFilled()) {
      throw new InvalidRecordException(name + ": there is no number");
    }
    return column.scaled(column.fill());
  }

  private static float notFinite(String name, Object value) {
    throw new InvalidRecordException(name + ": " + value + " is not a finite number that fits");
  }

  /** A number. */
  record One(String name, RowData.FieldGetter getter, TableColumn column) implements Field {

    One(InputColumn input, TableColumn column) {
      this(input.name(), input.getter(), column);
    }

    @Override
    public int read(RowData row, float[] into, int at) {
      into[at] = number(getter.getFieldOrNull(row), name, column);
      return at + 1;
    }
  }

  /** An array of numbers. */
  record Numbers(
      String name,
      RowData.FieldGetter getter,
      InputColumn.Element element,
      List<TableColumn> columns)
      implements Field {

    Numbers(InputColumn input, List<TableColumn> columns) {
      this(input.name(), input.getter(), input.element(), columns);
    }

    @Override
    public int read(RowData row, float[] into, int at) {
      ArrayData array = (ArrayData) getter.getFieldOrNull(row);
      if (array == null || array.size() != columns.size()) {
        throw new InvalidRecordException(
            "%s: %s numbers: %d are needed"
                .formatted(name, array == null ? "no" : array.size(), columns.size()));
      }
      for (int i = 0; i < columns.size(); i++) {
        TableColumn column = columns.get(i);
        float number =
            array.isNullAt(i)
                ? filled(name, column)
                : column.scaled(element.number(array, i, column));
        into[at + i] = Float.isFinite(number) ? number : notFinite(name, number);
      }
      return at + columns.size();
    }
  }

  /** A text, which becomes 1 for its category or its bucket and 0 for the others. */
  record Text(RowData.FieldGetter getter, TableColumn column, Map<String, Integer> categories)
      implements Field {

    Text(InputColumn input, TableColumn column) {
      this(input.getter(), column, new HashMap<>());
      for (int i = 0; i < column.categories().size(); i++) {
        categories.put(column.categories().get(i), i);
      }
    }

    @Override
    public int read(RowData row, float[] into, int at) {
      int end = at + column.width();
      Arrays.fill(into, at, end, 0);
      Object value = getter.getFieldOrNull(row);
      String text = value == null ? "" : value.toString().strip();
      int chosen = column.isHashed() ? column.bucket(text) : categories.getOrDefault(text, -1);
      if (chosen >= 0) {
        into[at + chosen] = 1;
      }
      return end;
    }
  }
}
