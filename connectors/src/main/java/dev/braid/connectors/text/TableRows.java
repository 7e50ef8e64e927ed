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

  /** Number of a text that is none of its column's categories. */
  private static final int UNKNOWN = -1;

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

  /** Number of the row in the file that was read last, from 0. */
  private int number = -1;

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

  /** Names, or what can only be names as it has text where there should be numbers. */
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
   * Whether a row has names that are numbers: those of all columns where they were in the training
   * rows, or those of the features in their order.
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

  /** A row of another width cannot be one with gaps. */
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
   * The cells of the next row that is not to be left out.
   *
   * @throws InvalidDataException if the row has other columns than the table; the next call reads
   *     the one after it
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

  /** Rows to answer are never left out. */
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

  /** Returns the number of the row in the file that was read last, from 0; all rows count. */
  int number() {
    return number;
  }

  /** The numbers of a row that are not 0. */
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
    // Here, as a row that is refused has not been taken for anything.
    withUnknownTexts.forEach(i -> unknown.add(i, cells.get(places[i])));
  }

  /** Whether a row has no value in some column of them. */
  boolean lacksValue(List<String> cells) {
    for (int i = schema.columns().size(); i < places.length; i++) {
      if (Missing.is(cells.get(places[i]))) {
        return true;
      }
    }
    return false;
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
      values[i] = labels.get(i).scaled(labels.get(i).number(file, cell));
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
