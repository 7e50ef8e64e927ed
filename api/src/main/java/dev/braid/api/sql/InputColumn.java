package dev.braid.api.sql;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.text.TableColumn;
import java.io.Serializable;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/**
 * A column of a model's input.
 *
 * @param position position in the row, from 0
 */
record InputColumn(String name, LogicalType type, int position) implements Serializable {

  private static final double MILLIS_PER_DAY = 86_400_000;
  private static final double NANOS_PER_DAY = MILLIS_PER_DAY * 1e6;

  boolean isArray() {
    return type.is(LogicalTypeRoot.ARRAY);
  }

  private static boolean isNumber(LogicalType type) {
    return type.is(LogicalTypeFamily.NUMERIC);
  }

  /** Returns whether a feature of some model can have the type. */
  boolean isPossible() {
    return type instanceof ArrayType array
        ? isNumber(array.getElementType())
        : isNumber(type)
            || type.is(LogicalTypeFamily.CHARACTER_STRING)
            || type.is(LogicalTypeRoot.BOOLEAN)
            || isTime();
  }

  private boolean isTime() {
    return type.is(LogicalTypeRoot.DATE) || type.is(LogicalTypeFamily.TIMESTAMP);
  }

  /**
   * Checks that a column of the model can have values of the type.
   *
   * @throws InvalidDataException if it cannot
   */
  void check(TableColumn column) {
    String needed =
        column.isText() ? "a string" : column.time() ? "a date, a time or a string" : "a number";
    boolean fits =
        column.isText()
            ? type.is(LogicalTypeFamily.CHARACTER_STRING)
                || type.is(LogicalTypeFamily.INTEGER_NUMERIC)
                || type.is(LogicalTypeRoot.BOOLEAN)
            : isNumber(type)
                || type.is(LogicalTypeFamily.CHARACTER_STRING)
                || (column.time() && isTime());
    if (isArray() || !fits) {
      throw new InvalidDataException(
          "INPUT column %s: %s: the model needs %s".formatted(name, type, needed));
    }
  }

  RowData.FieldGetter getter() {
    return RowData.createFieldGetter(type, position);
  }

  /** Reads an element of an array, which is not null. */
  interface Element {

    double number(ArrayData array, int at, TableColumn column);
  }

  Element element() {
    LogicalType element = ((ArrayType) type).getElementType();
    if (element.is(LogicalTypeRoot.FLOAT)) {
      return (array, at, column) -> array.getFloat(at);
    }
    if (element.is(LogicalTypeRoot.DOUBLE)) {
      return (array, at, column) -> array.getDouble(at);
    }
    ArrayData.ElementGetter getter = ArrayData.createElementGetter(element);
    return (array, at, column) -> number(getter.getElementOrNull(array, at), column);
  }

  /** Returns a value as a number, in days for a date or a time; NaN if it is not a number. */
  static double number(Object value, TableColumn column) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    if (value instanceof DecimalData decimal) {
      return decimal.toBigDecimal().doubleValue();
    }
    if (value instanceof TimestampData time) {
      return time.getMillisecond() / MILLIS_PER_DAY + time.getNanoOfMillisecond() / NANOS_PER_DAY;
    }
    return column.parsed(value.toString().strip());
  }
}
