package dev.braid.connectors.text;

import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import dev.braid.learner.Shape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Determines the columns of a table, in one pass over its training rows: the classes, or the
 * values' scales; the categories of texts, in alphabetical order; and means and deviations
 * (Welford's method, row by row). The same file gives the same numbers, bit for bit.
 */
public final class TableFit {

  /**
   * The result: everything that is known about a table.
   *
   * @param classes the label of each class; empty if labels are values
   * @param notes sentences for the user
   */
  public record Fitted(TableSchema schema, List<String> classes, List<String> notes) {}

  private final CsvFile file;
  private final TableHeader header;
  private final TableOptions options;
  private final Shape.Kind kind;
  private final List<ColumnFit> columns = new ArrayList<>();
  private final List<ColumnFit> labelColumns = new ArrayList<>();
  private final BitSet labels = new BitSet();

  /** Columns of numbers with gaps: rows with a missing number in one of them are omitted. */
  private final BitSet dropped;

  private final Labels knownLabels;
  private int leastLabel;
  private int rows;
  private int trainingRows;
  private int droppedRows;

  private TableFit(
      CsvFile file,
      TableHeader header,
      TableOptions options,
      Shape.Kind kind,
      List<String> classNames,
      BitSet dropped) {
    this.file = file;
    this.header = header;
    this.options = options;
    this.kind = kind;
    this.knownLabels = new Labels(classNames);
    this.dropped = dropped;
    int width = header.names().size();
    Set<Integer> labelled = findLabels(width);
    Set<Integer> texts = find("categories", options.text());
    Set<Integer> times = find("dates", options.time());
    Set<Integer> ignored = find("ignore", options.ignored());
    checkNotIgnored(labelled, ignored);
    checkTimes(times, labelled, texts);
    for (int index : labelled) {
      labelColumns.add(column(index, true, texts.contains(index), false));
    }
    for (int i = 0; i < width; i++) {
      if (!labelled.contains(i) && !ignored.contains(i)) {
        columns.add(column(i, false, texts.contains(i), times.contains(i)));
      }
    }
    if (columns.isEmpty()) {
      throw file.error(
          width == 1
              ? "has 1 column; needs at least a feature and the label, separated by commas, "
                  + "semicolons, tabs or bars"
              : "has no column for features; needs at least 1");
    }
  }

  private ColumnFit column(int index, boolean isLabel, boolean text, boolean time) {
    return new ColumnFit(file, header, options, index, isLabel, text, time, columns::size);
  }

  private void checkTimes(Set<Integer> times, Set<Integer> labelled, Set<Integer> texts) {
    for (int index : times) {
      if (labelled.contains(index) || texts.contains(index)) {
        throw file.fileError(
            "dates %s: %s is %s: a feature that is no text is needed"
                .formatted(
                    header.typed(index),
                    TableColumn.title(index, header.names().get(index)),
                    labelled.contains(index) ? "the label" : "one of 'categories'"));
      }
    }
  }

  /** Returns the columns of the labels, in the order in which they are requested. */
  private Set<Integer> findLabels(int width) {
    String asked = options.label();
    if (asked.isEmpty()) {
      // If rows end with a separator, the last column has neither a name nor contents.
      int last = width - 1;
      return Set.of(
          IntStream.iterate(last, i -> i >= 0, i -> i - 1)
              .filter(i -> !header.isUnnamed(i))
              .findFirst()
              .orElse(last));
    }
    boolean isOne = kind == Shape.Kind.CLASSES || header.names().contains(asked);
    List<String> names = isOne ? List.of(asked) : List.of(asked.split("\\s*,\\s*", -1));
    Set<Integer> found = find("`label`", names);
    if (found.size() < names.size()) {
      throw file.fileError("`label` " + Texts.shorten(asked) + ": names a column twice");
    }
    if (found.stream().anyMatch(header::isUnnamed)) {
      throw file.fileError(
          "`label` "
              + Texts.shorten(asked)
              + ": the column has no name: give it one in the header");
    }
    return found;
  }

  private void checkNotIgnored(Set<Integer> labelled, Set<Integer> ignored) {
    for (int index : ignored) {
      if (labelled.contains(index)) {
        throw file.fileError(
            "ignore %s: %s is %s; `label` names another"
                .formatted(
                    header.typed(index),
                    TableColumn.title(index, header.names().get(index)),
                    options.label().isEmpty() ? "the label, as the last one" : "the label"));
      }
    }
  }

  private Set<Integer> find(String option, List<String> names) {
    Set<Integer> found = new LinkedHashSet<>();
    for (String name : names) {
      found.add(header.find(option, name, file.name()));
    }
    return found;
  }

  /**
   * Reads a file.
   *
   * @param kind whether labels are classes or values
   * @param isTraining whether a row is a training row, by its number from 0
   * @param leastRows smallest number of rows
   * @param classes number of classes by the user's options; 0 for the number of labels found
   * @param classNames labels by the user's options; empty for the labels found
   */
  public static Fitted fit(
      DataFile data,
      TableOptions options,
      Shape.Kind kind,
      IntPredicate isTraining,
      int leastRows,
      int classes,
      List<String> classNames) {
    TableHeader header = TableHeader.of(data, options.header());
    TableFit fit = read(data, header, options, kind, classNames, new BitSet(), isTraining);
    if (options.missing() == Missing.DROP && !fit.gaps().isEmpty()) {
      // A second pass is needed, because only the first one shows which columns contain numbers.
      fit = read(data, header, options, kind, classNames, fit.gaps(), isTraining);
    }
    return fit.fitted(leastRows, classes, classNames);
  }

  private static TableFit read(
      DataFile data,
      TableHeader header,
      TableOptions options,
      Shape.Kind kind,
      List<String> classNames,
      BitSet dropped,
      IntPredicate isTraining) {
    try (CsvFile file = new CsvFile(data)) {
      TableFit fit = new TableFit(file, header, options, kind, classNames, dropped);
      fit.read(isTraining);
      return fit;
    }
  }

  private Fitted fitted(int leastRows, int classes, List<String> classNames) {
    TextSamples.checkRows(file, rows, leastRows);
    if (trainingRows == 0) {
      throw file.fileError("every training row has an empty cell: 'missing: median' fills them");
    }
    if (kind == Shape.Kind.VALUES) {
      labelColumns.forEach(ColumnFit::checkValues);
    }
    TableSchema schema = schema();
    return new Fitted(
        schema,
        kind == Shape.Kind.VALUES
            ? List.of()
            : classNames.isEmpty() ? classes(classes) : classNames,
        notes());
  }

  /** Returns the columns of numbers that have gaps in the training rows. */
  private BitSet gaps() {
    BitSet gaps = new BitSet();
    Stream.concat(columns.stream(), labelColumns.stream())
        .filter(ColumnFit::hasGaps)
        .forEach(column -> gaps.set(column.index()));
    return gaps;
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>(header.note().stream().toList());
    for (ColumnFit column : columns) {
      column
          .whyIgnored()
          .ifPresent(why -> notes.add(column.title() + " " + why + ": it is ignored"));
    }
    if (droppedRows > 0) {
      notes.add(
          "%d of %d training rows have gaps and are left out"
              .formatted(droppedRows, trainingRows + droppedRows));
    }
    List<ColumnFit> filled = used().filter(ColumnFit::hasGaps).toList();
    if (!filled.isEmpty()) {
      notes.add(
          "gaps in the training rows are filled, %d in %d of the columns: 'missing: %s'"
              .formatted(
                  filled.stream().mapToLong(ColumnFit::missing).sum(),
                  filled.size(),
                  options.missing().typed()));
    }
    return notes;
  }

  private Stream<ColumnFit> used() {
    return columns.stream().filter(column -> column.whyIgnored().isEmpty());
  }

  private boolean isLeftOut(List<String> row) {
    return options.missing() == Missing.DROP
        && (dropped.stream().anyMatch(index -> Missing.is(row.get(index)))
            || (kind == Shape.Kind.CLASSES && knownLabels.isMissing(row.get(label().index()))));
  }

  private void read(IntPredicate isTraining) {
    Optional<List<String>> row = file.next();
    if (header.present()) {
      row = file.next();
    }
    for (; row.isPresent(); row = file.next()) {
      checkWidth(file, row.get().size(), header.names().size());
      if (isTraining.test(rows) && isLeftOut(row.get())) {
        droppedRows++;
      } else if (isTraining.test(rows)) {
        for (ColumnFit column : columns) {
          column.add(row.get().get(column.index()));
        }
        if (kind == Shape.Kind.VALUES) {
          for (ColumnFit column : labelColumns) {
            column.add(row.get().get(column.index()));
          }
        } else if (knownLabels.isEmpty()) {
          addLabel(row.get().get(label().index()));
        }
        trainingRows++;
      }
      rows++;
    }
  }

  static void checkWidth(TextPlace file, int width, int expected) {
    if (width != expected) {
      throw file.error(width + " columns; must be " + expected + ", as in the lines above");
    }
  }

  /** Returns the column of the class. */
  private ColumnFit label() {
    return labelColumns.get(0);
  }

  private void addLabel(String cell) {
    ColumnFit label = label();
    if (cell.isEmpty()) {
      throw file.error(
          "has no label in " + label.title() + ": 'missing: drop' leaves out such rows");
    }
    if (!label.isOfTexts() && TextPlace.isNumber(cell)) {
      int number = file.parseLabel(cell);
      leastLabel = Math.min(leastLabel, number);
      labels.set(Math.max(0, number));
    }
    label.count(cell);
  }

  private TableSchema schema() {
    if (columns.stream().anyMatch(ColumnFit::isMixed)) {
      columns.forEach(ColumnFit::checkNotMixed);
    }
    if (used().findAny().isEmpty()) {
      throw file.fileError("has no column for features; needs at least 1");
    }
    checkGaps();
    List<TableColumn> found = used().map(ColumnFit::toColumn).toList();
    long features = found.stream().mapToLong(TableColumn::width).sum();
    if (features > TextFormat.MAX_FEATURES) {
      throw file.fileError(
          features
              + " features with all categories; at most "
              + TextFormat.MAX_FEATURES
              + " are possible");
    }
    List<TableColumn> labels =
        kind == Shape.Kind.VALUES
            ? labelColumns.stream().map(ColumnFit::toColumn).toList()
            : List.of(TableColumn.numbers(label().index(), header.names().get(label().index())));
    return new TableSchema(
        header.present(), header.names().size(), labels, found, options.missing());
  }

  /** Checks that there are no gaps except those that are filled; labels are never filled. */
  private void checkGaps() {
    List<ColumnFit> gaps =
        Stream.concat(options.missing().fills() ? Stream.empty() : used(), labelColumns.stream())
            .filter(ColumnFit::hasGaps)
            .toList();
    if (gaps.isEmpty()) {
      return;
    }
    ColumnFit first =
        gaps.stream().min(Comparator.comparingInt(ColumnFit::firstMissingLine)).orElseThrow();
    boolean isLabel = labelColumns.contains(first);
    long missing = gaps.stream().mapToLong(ColumnFit::missing).sum();
    throw file.error(
        first.firstMissingLine(),
        "no %s in %s%s: %s"
            .formatted(
                isLabel ? "label" : "number",
                first.title(),
                missing == 1
                    ? ""
                    : ", the first of %d cells in %d column%s that have none"
                        .formatted(missing, gaps.size(), gaps.size() == 1 ? "" : "s"),
                isLabel
                    ? "'missing: drop' leaves out all rows with a gap"
                    : "'missing: median' fills them (or mean), 'missing: drop' leaves their rows"
                        + " out"));
  }

  private List<String> classes(int expected) {
    ColumnFit label = label();
    label.checkNotMixed();
    boolean texts = !label.hasNumbers();
    SortedSet<String> categories = texts ? label.allTexts() : new TreeSet<>();
    if (texts && categories.size() < 2) {
      throw file.fileError(
          "%s: every label is %s: at least 2 classes are needed"
              .formatted(label.title(), Texts.quote(categories.first())));
    }
    if (texts && expected > 0 && expected != categories.size()) {
      throw file.fileError(
          "%s: %,d different texts as labels, and classes %d: the names of all classes, with commas between, are needed"
              .formatted(label.title(), categories.size(), expected));
    }
    if (expected > 0) {
      return texts ? List.copyOf(categories) : Labels.numbered(expected);
    }
    String place = file.name() + ": " + label.title();
    String hint = "give `label` and the column of the class, or ";
    if (texts) {
      LabelCheck.checkCount(place, categories.size(), trainingRows, hint, "");
      return List.copyOf(categories);
    }
    if (leastLabel < 0) {
      throw new InvalidDataException(
          "%s: label %d: classes are counted from 0; 'classes' and all labels, with commas between, gives them other names%s"
              .formatted(place, leastLabel, LabelCheck.REGRESSION));
    }
    if (labels.length() < 2) {
      throw file.fileError("has no label above 0: needs at least 2 classes");
    }
    LabelCheck.check(place, labels, trainingRows, hint, LabelCheck.REGRESSION);
    return Labels.numbered(labels.length());
  }
}
