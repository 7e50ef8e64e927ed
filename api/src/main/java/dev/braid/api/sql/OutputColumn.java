package dev.braid.api.sql;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.text.TableColumn;
import dev.braid.run.scoring.RecordScore;
import dev.braid.run.training.ModelCard;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/**
 * A column of a model's output.
 *
 * @param ordinal number of columns of values before this one
 * @param isDouble whether its numbers are doubles instead of floats
 */
record OutputColumn(String name, Kind kind, int ordinal, boolean isDouble) implements Serializable {

  private static final String CLASS = "class";

  /** Content of a column. */
  enum Kind {
    VERSION("version"),
    ERROR("error"),
    SCORES("scores"),
    LABEL(CLASS),
    VALUE("");

    private final String column;

    Kind(String column) {
      this.column = column;
    }

    static Kind of(String name, LogicalType type) {
      return Stream.of(VERSION, ERROR, SCORES)
          .filter(it -> it.column.equals(name))
          .findFirst()
          .orElse(type.is(LogicalTypeFamily.CHARACTER_STRING) ? LABEL : VALUE);
    }
  }

  /**
   * Returns the column with a name and a type.
   *
   * @throws ValidationException if there can be no such column
   */
  static OutputColumn of(String name, LogicalType type, int ordinal) {
    Kind kind = Kind.of(name, type);
    LogicalType number =
        kind == Kind.SCORES && type instanceof ArrayType array ? array.getElementType() : type;
    boolean isReal = number.is(LogicalTypeRoot.FLOAT) || number.is(LogicalTypeRoot.DOUBLE);
    boolean fits =
        switch (kind) {
          case SCORES -> type.is(LogicalTypeRoot.ARRAY) && isReal;
          case VALUE -> isReal;
          case LABEL, VERSION, ERROR -> type.is(LogicalTypeFamily.CHARACTER_STRING);
        };
    if (!fits || (kind != Kind.VERSION && !type.isNullable())) {
      throw new ValidationException(
          ("OUTPUT column %s: %s: must be class STRING (or the label's name), scores "
                  + "ARRAY<FLOAT> or ARRAY<DOUBLE>, values by their names as FLOAT or DOUBLE, "
                  + "version STRING or error STRING; all but version must allow NULL")
              .formatted(name, type));
    }
    return new OutputColumn(name, kind, ordinal, number.is(LogicalTypeRoot.DOUBLE));
  }

  /**
   * Checks that a model provides the content of the column.
   *
   * @throws InvalidDataException if it does not
   */
  void check(ModelCard card) {
    List<String> values = card.valueColumns().stream().map(TableColumn::name).toList();
    boolean isNamed = values.stream().anyMatch(value -> !value.isEmpty());
    if (kind == Kind.LABEL) {
      Optional<String> label =
          card.schema().map(schema -> schema.labels().get(0).name()).filter(it -> !it.isEmpty());
      boolean fits = !card.hasValues() && (name.equals(CLASS) || label.equals(Optional.of(name)));
      require(
          fits,
          card.hasValues()
              ? "the model predicts the numbers " + values
              : "the model has " + CLASS + label.map(it -> " or " + it).orElse(""));
    }
    if (kind == Kind.VALUE) {
      require(
          isNamed ? values.contains(name) : ordinal < values.size(),
          card.hasValues() ? "the model predicts " + values : "the model has classes");
    }
  }

  private void require(boolean fits, String what) {
    if (!fits) {
      throw new InvalidDataException("OUTPUT column " + name + ": " + what);
    }
  }

  /** Returns the value for a record. */
  @Nullable
  Object value(RecordScore score, List<String> names) {
    return switch (kind) {
      case VERSION -> StringData.fromString(score.version());
      case ERROR -> score.isScored() ? null : StringData.fromString(score.error());
      case SCORES -> score.isScored() ? array(score.scores()) : null;
      case LABEL -> score.isScored() ? StringData.fromString(score.label()) : null;
      case VALUE -> score.isScored() ? number(score.scores(), names) : null;
    };
  }

  private Object number(float[] scores, List<String> names) {
    int named = names.indexOf(name);
    float score = scores[named < 0 ? ordinal : named];
    return isDouble ? (Object) (double) score : (Object) score;
  }

  private GenericArrayData array(float[] scores) {
    if (!isDouble) {
      return new GenericArrayData(scores);
    }
    double[] doubles = new double[scores.length];
    for (int i = 0; i < scores.length; i++) {
      doubles[i] = scores[i];
    }
    return new GenericArrayData(doubles);
  }
}
