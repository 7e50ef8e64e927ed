package dev.braid.connectors.text;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rows of a table as samples, by its schema. If a file has the columns' names, the columns may
 * be in any order, with others between them. Otherwise the columns are those of the training rows,
 * in the same order.
 */
final class TableRows implements AutoCloseable {

  /** Receives the numbers of a sample that are not 0. */
  @FunctionalInterface
  interface Numbers {
    void accept(int feature, float number);
  }

  /** Reads rows as cells, one after the other. */
  interface Source extends TextPlace, AutoCloseable {

    /** Returns the next row that is not blank. */
    Optional<List<String>> next();

    /** Confirms the separator of the rows so far, because they have the columns of this table. */
    default void keepSeparator() {}

    @Override
    void close();
  }

  /** Marks a text that is not a category of its column. */
  private static final int UNKNOWN = -1;

  private final Source file;
  private final TableSchema schema;
  private final boolean needsLabels;
  private final List<Map<String, Integer>> categories;
  private final UnknownTexts unknown;

  /** Positions in a row of the features' columns, followed by those of the labels' columns. */
  private int[] places = {};

  private int width;
  private boolean hasBegun;
  private boolean lacksColumn;

  /** Number of the most recent row in the file, from 0. */
  private int number = -1;

  /**
   * @param file owned by this object from now on
   * @param needsLabels whether each row must have a label
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
   * @return whether the row has their names
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

  /**
   * Returns whether the first row has names. A row that has texts in place of numbers can only be
   * one of names.
   */
  private boolean isHeader(List<String> first) {
    if (schema.header() && namesAreNumbers()) {
      return hasNumbersAsNames(first);
    }
    boolean named =
        schema.header() && schema.columns().stream().allMatch(c -> first.contains(c.name()));
    boolean areNames =
        first.size() >= Math.min(2, schema.columns().size())
            && new HashSet<>(first).size() == first.size()
            && first.stream().noneMatch(TextPlace::isNumber);
    return named || (areNames && hasTextForNumber(first));
  }

  private boolean namesAreNumbers() {
    return schema.columns().stream().allMatch(column -> TextPlace.isNumber(column.name()));
  }

  /**
   * Returns whether a row has names that are numbers: either all columns have the names of the
   * training rows, or the features have theirs in order.
   */
  private boolean hasNumbersAsNames(List<String> first) {
    boolean isWhole =
        first.size() == schema.width()
            && Stream.concat(schema.columns().stream(), schema.labels().stream())
                .allMatch(column -> first.get(column.index()).equals(column.name()));
    if (isWhole) {
      return true;
    }
    List<String> names = schema.columns().stream().map(TableColumn::name).toList();
    if (first.equals(names) && names.size() < TableHeader.SURE_NUMBERS) {
      throw file.error(
          "%s may be the columns' names or a row: begin with names that include the label, or write numbers as %s.0"
              .formatted(Texts.list(first), first.get(0)));
    }
    return first.equals(names)
        || (first.containsAll(names) && !first.stream().allMatch(TextPlace::isNumber));
  }

  /**
   * Returns whether a row has text in place of a number. A row of another width cannot be a row
   * with gaps.
   */
  private boolean hasTextForNumber(List<String> first) {
    List<TableColumn> numbers = schema.columns().stream().filter(c -> !c.isText()).toList();
    int labels = schema.labels().size();
    boolean unlabelled = !needsLabels && first.size() == schema.width() - labels;
    if (!unlabelled && first.size() != schema.width()) {
      return !numbers.isEmpty();
    }
    return numbers.stream()
        .map(c -> first.get(unlabelled ? c.index() - labelsBefore(c.index()) : c.index()))
        .anyMatch(cell -> !Missing.is(cell) && Dates.days(cell).isEmpty());
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

  /** Uses the positions of the training rows; labels that are not needed may be absent. */
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
   * Returns the cells of the next row that is not omitted.
   *
   * @throws InvalidDataException if the row has other columns than the table; the next call reads
   *     the next row
   */
  Optional<List<String>> next() {
    while (true) {
      Optional<List<String>> row = file.next();
      if (!hasBegun && row.isPresent() && begin(row.get())) {
        row = file.next();
      }
      row.ifPresent(cells -> TableFit.checkWidth(file, cells.size(), width));
      number++;
      if (row.isEmpty() || !isLeftOut(row.get())) {
        return row;
      }
    }
  }

  /** Returns whether a row is omitted; rows for prediction never are. */
  private boolean isLeftOut(List<String> cells) {
    return needsLabels && schema.missing() == Missing.DROP && hasGap(cells);
  }

  private boolean hasGap(List<String> cells) {
    int features = schema.columns().size();
    for (int i = 0; i < features; i++) {
      if (!schema.columns().get(i).isText() && Missing.is(cells.get(places[i]))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of the most recent row in the file, from 0; omitted rows count, too. */
  int number() {
    return number;
  }

  /** Passes on the numbers of a row that are not 0. */
  void read(List<String> cells, Numbers into) {
    int feature = 0;
    List<Integer> withUnknownTexts = new ArrayList<>(0);
    for (int i = 0; i < schema.columns().size(); i++) {
      TableColumn column = schema.columns().get(i);
      String cell = cells.get(places[i]);
      if (column.isText()) {
        int category =
            column.isHashed() ? column.bucket(cell) : categories.get(i).getOrDefault(cell, UNKNOWN);
        if (category == UNKNOWN) {
          withUnknownTexts.add(i);
        } else {
          into.accept(feature + category, 1);
        }
      } else {
        into.accept(feature, column.scaled(column.number(file, cell)));
      }
      feature += column.width();
    }
    // Counted only here, because a row that is rejected must not count.
    withUnknownTexts.forEach(i -> unknown.add(i, cells.get(places[i])));
  }

  /** Returns whether a row lacks a value in a column of labels. */
  boolean lacksValue(List<String> cells) {
    for (int i = schema.columns().size(); i < places.length; i++) {
      if (Missing.is(cells.get(places[i]))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the label of a row, which is a class. */
  String label(List<String> cells) {
    return cells.get(places[places.length - 1]);
  }

  /** Returns the labels of a row, which are scaled values. */
  float[] values(List<String> cells) {
    List<TableColumn> labels = schema.labels();
    float[] values = new float[labels.size()];
    for (int i = 0; i < values.length; i++) {
      String cell = cells.get(places[places.length - values.length + i]);
      values[i] = labels.get(i).scaled(labels.get(i).number(file, cell));
    }
    return values;
  }

  /**
   * Returns whether the file has the columns' names but lacks a required column, so that no row is
   * usable.
   */
  boolean lacksColumn() {
    return lacksColumn;
  }

  /** Returns the texts in the rows so far that are not categories of their column. */
  UnknownTexts unknown() {
    return unknown;
  }

  /** Returns the position of the most recent row. */
  TextPlace place() {
    return file;
  }

  @Override
  public void close() {
    file.close();
  }
}
