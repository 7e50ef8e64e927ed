package dev.braid.connectors.text;

import dev.braid.connectors.file.Texts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of a table as samples, as its schema has them. Where a file has the columns' names, they
 * may be in any order, with others between; else they are those of the training rows, in order.
 */
final class TableRows implements AutoCloseable {

  /** Takes the numbers of a sample that are not 0. */
  @FunctionalInterface
  interface Numbers {
    void accept(int feature, float number);
  }

  /** Rows as cells, one after the other. */
  interface Source extends TextPlace, AutoCloseable {

    /** The next row that is not blank. */
    Optional<List<String>> next();

    /** Says that the rows so far were separated as those of this table are. */
    default void keepSeparator() {}

    @Override
    void close();
  }

  private final Source file;
  private final TableSchema schema;
  private final boolean needsLabels;
  private final List<Map<String, Integer>> categories;
  private final UnknownTexts unknown;

  /** Where the columns of the features are in a row, and at last those of the labels. */
  private int[] places = {};

  private int width;
  private boolean hasBegun;
  private boolean lacksColumn;

  /**
   * @param file belongs to this from now on
   * @param needsLabels whether each row has to have one
   */
  TableRows(Source file, TableSchema schema, boolean needsLabels) {
    this.file = file;
    this.schema = schema;
    this.needsLabels = needsLabels;
    this.categories = schema.columns().stream().map(TableRows::numbered).toList();
    this.unknown = new UnknownTexts(file, schema.columns());
  }

  private static Map<String, Integer> numbered(TableColumn column) {
    Map<String, Integer> numbered = new HashMap<>();
    for (int i = 0; i < column.categories().size(); i++) {
      numbered.put(column.categories().get(i), i);
    }
    return numbered;
  }

  /**
   * Finds the columns in the first row.
   *
   * @return whether it has their names
   */
  private boolean begin(List<String> first) {
    boolean isHeader = isHeader(first);
    width = first.size();
    if (isHeader) {
      placeByName(first);
    } else {
      placeByNumber();
    }
    hasBegun = true;
    file.keepSeparator();
    return isHeader;
  }

  /** Names, or what can only be names as it has no number where there should be some. */
  private boolean isHeader(List<String> first) {
    boolean named =
        schema.header() && schema.columns().stream().allMatch(c -> first.contains(c.name()));
    boolean hasNumbers = schema.columns().stream().anyMatch(column -> !column.isText());
    boolean areNames =
        first.size() >= Math.min(2, schema.columns().size())
            && new HashSet<>(first).size() == first.size()
            && first.stream().noneMatch(cell -> cell.isEmpty() || TextPlace.isNumber(cell));
    return named || (hasNumbers && areNames);
  }

  private void placeByName(List<String> names) {
    if (!schema.header()) {
      placeByNumber();
      return;
    }
    int features = schema.columns().size();
    places = new int[features + schema.labels().size()];
    for (int i = 0; i < places.length; i++) {
      String name =
          i < features ? schema.columns().get(i).name() : schema.labels().get(i - features).name();
      places[i] = names.indexOf(name);
      if (places[i] < 0 && (i < features || needsLabels)) {
        lacksColumn = true;
        throw file.error(
            "no column %s: it is needed, and there are %s"
                .formatted(Texts.shorten(name), Texts.list(names)));
      }
    }
  }

  /** As in the training rows; labels that nobody needs may be missing. */
  private void placeByNumber() {
    int labels = schema.labels().size();
    boolean unlabelled = !needsLabels && width == schema.width() - labels;
    if (width != schema.width() && !unlabelled) {
      String expected =
          needsLabels
              ? "%d as in the training rows".formatted(schema.width())
              : "%d, or %d with the label%s,"
                  .formatted(schema.width() - labels, schema.width(), labels == 1 ? "" : "s");
      throw file.error("%d columns: %s are needed".formatted(width, expected));
    }
    int features = schema.columns().size();
    places = new int[features + labels];
    for (int i = 0; i < features; i++) {
      int index = schema.columns().get(i).index();
      places[i] = unlabelled ? index - labelsBefore(index) : index;
    }
    for (int i = 0; i < labels; i++) {
      places[features + i] = unlabelled ? -1 : schema.labels().get(i).index();
    }
  }

  private int labelsBefore(int index) {
    return (int) schema.labels().stream().filter(label -> label.index() < index).count();
  }

  /**
   * The cells of the next row.
   *
   * @throws InvalidDataException if the row has other columns than the table; the next call reads
   *     the one after it
   */
  Optional<List<String>> next() {
    Optional<List<String>> row = file.next();
    if (!hasBegun && row.isPresent() && begin(row.get())) {
      row = file.next();
    }
    row.ifPresent(cells -> TableFit.checkWidth(file, cells.size(), width));
    return row;
  }

  /** The numbers of a row that are not 0. */
  void read(List<String> cells, Numbers into) {
    int feature = 0;
    List<Integer> withUnknownTexts = new ArrayList<>(0);
    for (int i = 0; i < schema.columns().size(); i++) {
      TableColumn column = schema.columns().get(i);
      String cell = cells.get(places[i]);
      if (column.isText()) {
        Integer category = categories.get(i).get(cell);
        if (category == null) {
          withUnknownTexts.add(i);
        } else {
          into.accept(feature + category, 1);
        }
      } else {
        into.accept(feature, column.scaled(number(column, cell)));
      }
      feature += column.width();
    }
    // Here, as a row that is refused has not been taken for anything.
    withUnknownTexts.forEach(i -> unknown.add(i, cells.get(places[i])));
  }

  private float number(TableColumn column, String cell) {
    if (!TextPlace.isNumber(cell)) {
      throw file.error(
          "%s is not a number, as %s needs%s"
              .formatted(
                  Texts.quote(cell),
                  column.title(),
                  cell.isEmpty() ? ": Braid fills no gaps" : ""));
    }
    return file.parseFeature(cell);
  }

  /** The label of a row, which has one: a class. */
  String label(List<String> cells) {
    return cells.get(places[places.length - 1]);
  }

  /** The labels of a row, which has them: values, scaled. */
  float[] values(List<String> cells) {
    List<TableColumn> labels = schema.labels();
    float[] values = new float[labels.size()];
    for (int i = 0; i < values.length; i++) {
      String cell = cells.get(places[places.length - values.length + i]);
      values[i] = labels.get(i).scaled(number(labels.get(i), cell));
    }
    return values;
  }

  /** Whether the columns' names were there, and not all that are needed: no row is of any use. */
  boolean lacksColumn() {
    return lacksColumn;
  }

  /** Texts that are none of their column's categories, in the rows that were read. */
  UnknownTexts unknown() {
    return unknown;
  }

  /** The place of the row that was read last. */
  TextPlace place() {
    return file;
  }

  @Override
  public void close() {
    file.close();
  }
}
