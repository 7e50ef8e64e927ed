package dev.braid.api.sql;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TableSchema;
import dev.braid.run.scoring.FeatureForm;
import dev.braid.run.scoring.FeatureReader;
import dev.braid.run.scoring.RecordScore;
import dev.braid.run.training.ModelCard;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedCatalogModel;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;

/**
 * The input and the output of a model in SQL. Columns belong to features by name or, if features
 * have no names, by order.
 */
record RowForm(List<InputColumn> inputs, List<OutputColumn> outputs)
    implements FeatureForm<RowData> {

  /**
   * Returns the form of a model.
   *
   * @throws ValidationException if no model can have such columns
   */
  static RowForm of(ResolvedCatalogModel model) {
    List<InputColumn> inputs = new ArrayList<>();
    for (Column column : model.getResolvedInputSchema().getColumns()) {
      InputColumn input =
          new InputColumn(column.getName(), column.getDataType().getLogicalType(), inputs.size());
      if (!input.isPossible()) {
        throw new ValidationException(
            ("INPUT column %s: %s: must be of numbers, strings, booleans, dates, timestamps "
                    + "or arrays of numbers")
                .formatted(input.name(), input.type()));
      }
      inputs.add(input);
    }
    List<OutputColumn> outputs = new ArrayList<>();
    for (Column column : model.getResolvedOutputSchema().getColumns()) {
      int values =
          (int) outputs.stream().filter(it -> it.kind() == OutputColumn.Kind.VALUE).count();
      outputs.add(OutputColumn.of(column.getName(), column.getDataType().getLogicalType(), values));
    }
    return new RowForm(List.copyOf(inputs), List.copyOf(outputs));
  }

  @Override
  public FeatureReader<RowData> reader(Optional<ModelCard> found) {
    ModelCard card =
        found.orElseThrow(
            () -> new InvalidDataException("has no model.json, which names the features"));
    outputs.forEach(output -> output.check(card));
    return new RowReader(card.shape(), fields(columns(card)), card.imageOptions());
  }

  /** Returns the columns of a table, or a column for each of the numbers of other data. */
  private static List<TableColumn> columns(ModelCard card) {
    return card.schema()
        .map(TableSchema::columns)
        .orElseGet(
            () ->
                IntStream.range(0, card.shape().features())
                    .mapToObj(i -> new TableColumn(i, "", 0, card.divisor(), List.of()))
                    .toList());
  }

  private List<RowReader.Field> fields(List<TableColumn> columns) {
    List<RowReader.Field> fields = new ArrayList<>();
    boolean isNamed = columns.stream().anyMatch(column -> !column.name().isEmpty());
    List<TableSchema.Group> groups =
        isNamed
            ? TableSchema.groups(columns)
            : List.of(new TableSchema.Group("", columns, columns.size() > 1));
    List<InputColumn> unused = new ArrayList<>(inputs);
    for (TableSchema.Group group : groups) {
      Optional<InputColumn> array =
          inputs.stream()
              .filter(it -> it.isArray() && group.isArray())
              .filter(it -> isNamed ? it.name().equals(group.name()) : inputs.size() == 1)
              .findFirst();
      if (array.isPresent()) {
        fields.add(new RowReader.Numbers(array.get(), group.columns()));
        unused.remove(array.get());
        continue;
      }
      for (TableColumn column : group.columns()) {
        InputColumn input = isNamed ? named(column.name()) : at(column, columns);
        input.check(column);
        fields.add(
            column.isText() ? new RowReader.Text(input, column) : new RowReader.One(input, column));
        unused.remove(input);
      }
    }
    if (!unused.isEmpty()) {
      throw new InvalidDataException(
          "INPUT column %s: the model has the features %s"
              .formatted(
                  unused.get(0).name(), groups.stream().map(TableSchema.Group::name).toList()));
    }
    return fields;
  }

  private InputColumn named(String name) {
    return inputs.stream()
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new InvalidDataException("INPUT needs a column " + name));
  }

  private InputColumn at(TableColumn column, List<TableColumn> columns) {
    if (inputs.size() != columns.size()) {
      throw new InvalidDataException(
          "INPUT has %d columns: the model has %d features without names"
              .formatted(inputs.size(), columns.size()));
    }
    return inputs.get(columns.indexOf(column));
  }

  /** Returns the output row for a score. */
  RowData answer(RecordScore score, List<String> names) {
    GenericRowData row = new GenericRowData(outputs.size());
    for (int i = 0; i < outputs.size(); i++) {
      row.setField(i, outputs.get(i).value(score, names));
    }
    return row;
  }
}
