package dev.braid.connectors;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How the rows of a table become samples: found once in the training rows, and the same for all who
 * read the data from then on: workers, evaluations, and whoever has the model.
 *
 * @param header whether the first row has the columns' names
 * @param width how many columns a row has
 * @param labelIndex where the class is in a row, from 0
 * @param labelName its column's name; empty where there is none
 * @param columns the features, in the order of the sample's numbers
 */
public record TableSchema(
    boolean header, int width, int labelIndex, String labelName, List<TableColumn> columns)
    implements Table {

  /**
   * Checks that columns are within a row, and each is used once.
   *
   * @throws InvalidDataException if not
   */
  public TableSchema {
    columns = List.copyOf(columns);
    Set<Integer> used = new HashSet<>(Set.of(labelIndex));
    boolean within = labelIndex >= 0 && labelIndex < width && !columns.isEmpty();
    for (TableColumn column : columns) {
      within &= column.index() < width && used.add(column.index());
    }
    if (!within || width > CsvFile.MAX_COLUMNS || features(columns) > TextFormat.MAX_FEATURES) {
      throw new InvalidDataException(
          "a table of %d columns: features and the label need to be different ones of them"
              .formatted(width));
    }
  }

  private static long features(List<TableColumn> columns) {
    return columns.stream().mapToLong(TableColumn::width).sum();
  }

  /** How many numbers a sample has. */
  public int features() {
    return (int) features(columns);
  }
}
