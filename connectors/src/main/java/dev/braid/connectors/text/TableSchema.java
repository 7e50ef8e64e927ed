package dev.braid.connectors.text;

import dev.braid.connectors.file.InvalidDataException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How the rows of a table become samples: found once in the training rows, and the same for all who
 * read the data from then on: workers, evaluations, and whoever has the model.
 *
 * @param header whether the first row has the columns' names
 * @param width how many columns a row has
 * @param labels the column of the class; or those of the values that a model is to give, in the
 *     order of its outputs
 * @param columns the features, in the order of the sample's numbers
 */
public record TableSchema(
    boolean header, int width, List<TableColumn> labels, List<TableColumn> columns)
    implements Table {

  /**
   * Checks that columns are within a row, and each is used once.
   *
   * @throws InvalidDataException if not
   */
  public TableSchema {
    labels = List.copyOf(labels);
    columns = List.copyOf(columns);
    Set<Integer> used = new HashSet<>();
    boolean within = !labels.isEmpty() && !columns.isEmpty();
    for (List<TableColumn> some : List.of(labels, columns)) {
      for (TableColumn column : some) {
        within &= column.index() < width && used.add(column.index());
      }
    }
    if (!within || width > CsvFile.MAX_COLUMNS || features(columns) > TextFormat.MAX_FEATURES) {
      throw new InvalidDataException(
          "a table of %d columns: features and the label need to be different ones of them"
              .formatted(width));
    }
  }

  /** With a class in one column. */
  public static TableSchema ofClasses(
      boolean header, int width, int label, String labelName, List<TableColumn> columns) {
    return new TableSchema(header, width, List.of(TableColumn.numbers(label, labelName)), columns);
  }

  private static long features(List<TableColumn> columns) {
    return columns.stream().mapToLong(TableColumn::width).sum();
  }

  /** How many numbers a sample has. */
  public int features() {
    return (int) features(columns);
  }

  /** Whether the features are numbers as they are, which other formats have, too. */
  public boolean isPlain() {
    return columns.stream().allMatch(column -> column.equals(plain(column)));
  }

  private static TableColumn plain(TableColumn column) {
    return TableColumn.numbers(column.index(), column.name());
  }

  /** All of it in a text of which checkpoints have a digest. */
  public String fingerprint(boolean hasValues) {
    TableColumn first = labels.get(0);
    return "TableSchema[header=%s, width=%d, labelIndex=%d, labelName=%s, columns=%s]"
            .formatted(header, width, first.index(), first.name(), columns)
        + (hasValues ? labels : "");
  }
}
