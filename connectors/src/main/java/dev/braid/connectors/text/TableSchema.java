package dev.braid.connectors.text;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import dev.braid.connectors.text.TableOptions.Header;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The conversion of a table's rows to samples. It is determined once from the training rows, and is
 * the same for all later readers of the data: workers, evaluations, and users of the model.
 *
 * @param header whether the first row has the columns' names
 * @param width number of columns in a row
 * @param labels the column of the class, or the columns of the values to predict, in the order of
 *     the model's outputs
 * @param columns the features, in the order of the sample's numbers
 * @param missing how cells without a number are processed; the columns contain their fills
 */
public record TableSchema(
    boolean header, int width, List<TableColumn> labels, List<TableColumn> columns, Missing missing)
    implements Table {

  /** End of the name of an array's first column. */
  private static final String FIRST = "[0]";

  /**
   * Checks that all columns are within a row, and each is used once.
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

  /**
   * Columns that belong to one field: a single column, or an array, whose columns are named {@code
   * x[0]}, {@code x[1]} and so on.
   *
   * @param name name of the column or the array; empty if there is none
   */
  public record Group(String name, List<TableColumn> columns, boolean isArray) {}

  /** Returns columns grouped by field, in their order. */
  public static List<Group> groups(List<TableColumn> columns) {
    List<Group> groups = new ArrayList<>();
    int at = 0;
    while (at < columns.size()) {
      Group group = group(columns, at);
      groups.add(group);
      at += group.columns().size();
    }
    return groups;
  }

  /** Returns the field that begins with a column. */
  private static Group group(List<TableColumn> columns, int at) {
    String first = columns.get(at).name();
    if (!first.endsWith(FIRST)) {
      return new Group(first, List.of(columns.get(at)), false);
    }
    String name = first.substring(0, first.length() - FIRST.length());
    int end = at + 1;
    while (end < columns.size() && columns.get(end).name().equals(name + "[" + (end - at) + "]")) {
      end++;
    }
    return new Group(name, List.copyOf(columns.subList(at, end)), true);
  }

  /** Returns a schema with a class in one column. */
  public static TableSchema ofClasses(
      boolean header,
      int width,
      int label,
      String labelName,
      List<TableColumn> columns,
      Missing missing) {
    return new TableSchema(
        header, width, List.of(TableColumn.numbers(label, labelName)), columns, missing);
  }

  /**
   * Returns the first option that contradicts these columns, with the difference; empty if all
   * options agree.
   */
  public Optional<String> contradiction(TableOptions asked, boolean hasValues) {
    List<String> wanted =
        asked.label().isEmpty()
            ? List.of()
            : hasValues && labels.size() > 1
                ? List.of(asked.label().split("\\s*,\\s*", -1))
                : List.of(asked.label());
    boolean sameLabels =
        wanted.isEmpty()
            || (wanted.size() == labels.size()
                && IntStream.range(0, wanted.size())
                    .allMatch(i -> isCalled(labels.get(i), wanted.get(i))));
    if (!sameLabels) {
      List<String> known = labels.stream().map(TableColumn::shownName).toList();
      return Optional.of(
          "`label` %s: its label is %s".formatted(Texts.shorten(asked.label()), Texts.list(known)));
    }
    return differing("categories", asked.text(), "not a column of texts", TableColumn::isText)
        .or(() -> differing("dates", asked.time(), "not a column of dates", TableColumn::time))
        .or(
            () ->
                asked.ignored().stream()
                    .filter(name -> columns.stream().anyMatch(column -> isCalled(column, name)))
                    .findFirst()
                    .map(name -> "ignore %s: it is a feature".formatted(Texts.shorten(name))))
        .or(
            () ->
                Optional.of("`standardize`: the schema takes its numbers unscaled")
                    .filter(it -> asked.standardized() && !isStandardized()))
        .or(
            () ->
                Optional.of(
                        "missing %s: it has %s".formatted(asked.missing().typed(), missing.typed()))
                    .filter(it -> asked.missing() != Missing.FAIL && asked.missing() != missing))
        .or(
            () ->
                Optional.of("header: its columns have %snames".formatted(header ? "" : "no "))
                    .filter(it -> asked.header() == (header ? Header.NO : Header.YES)));
  }

  private Optional<String> differing(
      String option, List<String> names, String what, Predicate<TableColumn> kind) {
    return names.stream()
        .filter(name -> columns.stream().noneMatch(it -> kind.test(it) && isCalled(it, name)))
        .findFirst()
        .map(name -> "%s %s: it is %s".formatted(option, Texts.shorten(name), what));
  }

  private boolean isStandardized() {
    return columns.stream().allMatch(TableColumn::isText)
        || columns.stream().anyMatch(it -> !it.time() && (it.mean() != 0 || it.deviation() != 1));
  }

  /**
   * Returns whether a column has this name or number. Names take precedence, as when a table is
   * read.
   */
  private boolean isCalled(TableColumn column, String name) {
    boolean isName =
        Stream.concat(labels.stream(), columns.stream()).anyMatch(it -> it.name().equals(name));
    return isName ? column.name().equals(name) : name.equals(Integer.toString(column.index() + 1));
  }

  private static long features(List<TableColumn> columns) {
    return columns.stream().mapToLong(TableColumn::width).sum();
  }

  /** Returns the number of a sample's numbers. */
  public int features() {
    return (int) features(columns);
  }

  /** Returns whether the features are unscaled numbers, which other formats have, too. */
  public boolean isPlain() {
    return columns.stream().allMatch(column -> column.equals(plain(column)));
  }

  private static TableColumn plain(TableColumn column) {
    return TableColumn.numbers(column.index(), column.name());
  }

  /**
   * Returns a text of which checkpoints contain a digest: all properties except the numbers that
   * depend on samples, for which there are checksums.
   */
  public String fingerprint(boolean hasValues) {
    TableColumn first = labels.get(0);
    return "header %s, %d columns, label %d %s, features %s, standardized %s, missing %s, values %s"
        .formatted(
            header,
            width,
            first.index(),
            first.name(),
            columns.stream().map(TableColumn::form).toList(),
            isStandardized(),
            missing.typed(),
            hasValues ? labels.stream().map(TableColumn::form).toList() : List.of());
  }
}
