package dev.braid.connectors.text;

import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import dev.braid.learner.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Determines the columns of a table, in one pass over its training rows: the classes, or the
 * values' scales; the categories of texts, in alphabetical order; and means and deviations
 * (Welford's method, row by row). The same file gives the same numbers, bit for bit.
 */
public final class TableFit {

  /** Highest number of different texts; a column with more probably contains names or free text. */
  static final int MAX_CATEGORIES = 1000;

  /** Number of different texts that a column may have for any number of rows. */
  private static final int FEW_CATEGORIES = 20;

  /** A number with a decimal comma, as tables in some languages have it. */
  private static final Pattern DECIMAL_COMMA = Pattern.compile("[-+]?\\d*,?\\d+");

  private static final int MAX_LABEL_TEXTS = 1 << 17;

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
  private final List<Column> columns = new ArrayList<>();
  private final List<Column> labelColumns = new ArrayList<>();
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
      labelColumns.add(new Column(index, texts.contains(index), false, MAX_LABEL_TEXTS));
    }
    for (int i = 0; i < width; i++) {
      if (!labelled.contains(i) && !ignored.contains(i)) {
        columns.add(new Column(i, texts.contains(i), times.contains(i), MAX_CATEGORIES));
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
      labelColumns.forEach(Column::checkValues);
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
        .filter(Column::hasGaps)
        .forEach(column -> gaps.set(column.index));
    return gaps;
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>(header.note().stream().toList());
    for (Column column : columns) {
      column
          .whyIgnored()
          .ifPresent(why -> notes.add(column.title() + " " + why + ": it is ignored"));
    }
    if (droppedRows > 0) {
      notes.add(
          "%d of %d training rows have gaps and are left out"
              .formatted(droppedRows, trainingRows + droppedRows));
    }
    List<Column> filled = used().filter(Column::hasGaps).toList();
    if (!filled.isEmpty()) {
      notes.add(
          "gaps in the training rows are filled, %d in %d of the columns: 'missing: %s'"
              .formatted(
                  filled.stream().mapToLong(column -> column.missing).sum(),
                  filled.size(),
                  options.missing().typed()));
    }
    return notes;
  }

  private Stream<Column> used() {
    return columns.stream().filter(column -> column.whyIgnored().isEmpty());
  }

  private boolean isLeftOut(List<String> row) {
    return options.missing() == Missing.DROP
        && (dropped.stream().anyMatch(index -> Missing.is(row.get(index)))
            || (kind == Shape.Kind.CLASSES && knownLabels.isMissing(row.get(label().index))));
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
        for (Column column : columns) {
          column.add(row.get().get(column.index));
        }
        if (kind == Shape.Kind.VALUES) {
          for (Column column : labelColumns) {
            column.add(row.get().get(column.index));
          }
        } else if (knownLabels.isEmpty()) {
          addLabel(row.get().get(label().index));
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
  private Column label() {
    return labelColumns.get(0);
  }

  private void addLabel(String cell) {
    Column label = label();
    if (cell.isEmpty()) {
      throw file.error(
          "has no label in " + label.title() + ": 'missing: drop' leaves out such rows");
    }
    if (!label.text && TextPlace.isNumber(cell)) {
      int number = file.parseLabel(cell);
      leastLabel = Math.min(leastLabel, number);
      labels.set(Math.max(0, number));
    }
    label.count(cell);
  }

  private TableSchema schema() {
    if (columns.stream().anyMatch(Column::isMixed)) {
      columns.forEach(Column::checkNotMixed);
    }
    if (used().findAny().isEmpty()) {
      throw file.fileError("has no column for features; needs at least 1");
    }
    checkGaps();
    List<TableColumn> found = used().map(Column::toColumn).toList();
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
            ? labelColumns.stream().map(Column::toColumn).toList()
            : List.of(TableColumn.numbers(label().index, header.names().get(label().index)));
    return new TableSchema(
        header.present(), header.names().size(), labels, found, options.missing());
  }

  /** Checks that there are no gaps except those that are filled; labels are never filled. */
  private void checkGaps() {
    List<Column> gaps =
        Stream.concat(options.missing().fills() ? Stream.empty() : used(), labelColumns.stream())
            .filter(Column::hasGaps)
            .toList();
    if (gaps.isEmpty()) {
      return;
    }
    Column first =
        gaps.stream().min(Comparator.comparingInt(column -> column.firstMissingLine)).orElseThrow();
    boolean isLabel = labelColumns.contains(first);
    long missing = gaps.stream().mapToLong(column -> column.missing).sum();
    throw file.error(
        first.firstMissingLine,
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
    Column label = label();
    label.checkNotMixed();
    boolean texts = label.numbers == 0;
    if (texts) {
      label.categories.addAll(label.missingTexts);
    }
    if (texts && label.categories.size() < 2) {
      throw file.fileError(
          "%s: every label is %s: at least 2 classes are needed"
              .formatted(label.title(), Texts.quote(label.categories.first())));
    }
    if (texts && expected > 0 && expected != label.categories.size()) {
      throw file.fileError(
          "%s: %,d different texts as labels, and classes %d: the names of all classes, with commas between, are needed"
              .formatted(label.title(), label.categories.size(), expected));
    }
    if (expected > 0) {
      return texts ? List.copyOf(label.categories) : Labels.numbered(expected);
    }
    String place = file.name() + ": " + label.title();
    String hint = "give `label` and the column of the class, or ";
    if (texts) {
      LabelCheck.checkCount(place, label.categories.size(), trainingRows, hint, "");
      return List.copyOf(label.categories);
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

  /** Findings about one column. */
  private final class Column {
    private final int index;
    private final boolean text;
    private final boolean time;
    private final int maxCategories;
    private final SortedSet<String> categories = new TreeSet<>();
    private String firstText = "";
    private int firstTextLine;
    private long numbers;
    private long texts;
    private double mean;
    private double squares;

    /** Number of cells that mark a missing number; in a column of texts these are texts. */
    private long missing;

    private int firstMissingLine;
    private final SortedSet<String> missingTexts = new TreeSet<>();

    /** All numbers, if their median is needed. */
    private double[] sorted = {};

    /** The numbers of a column without a name, as long as they may be row numbers. */
    private final BitSet rowNumbers = new BitSet();

    private boolean numbersRows;

    /**
     * @param text whether numbers are texts in this column, too
     * @param time whether numbers are written as dates
     */
    Column(int index, boolean text, boolean time, int maxCategories) {
      this.index = index;
      this.text = text;
      this.time = time;
      this.maxCategories = maxCategories;
      this.numbersRows = index == 0 && header.isUnnamed(index);
    }

    void add(String cell) {
      if (numbersRows) {
        addRowNumber(cell);
      }
      if (count(cell)) {
        double number =
            time ? Dates.days(cell).orElseThrow(() -> noDate(cell)) : TextPlace.feature(cell);
        if (Double.isNaN(number)) {
          throw file.noNumber(cell, " in " + title());
        }
        double before = number - mean;
        mean += before / numbers;
        squares += before * (number - mean);
        if (options.missing() == Missing.MEDIAN) {
          keep(number);
        }
      }
    }

    private void addRowNumber(String cell) {
      boolean isNew = cell.matches("0|[1-9]\\d{0,7}") && !rowNumbers.get(Integer.parseInt(cell));
      if (isNew) {
        rowNumbers.set(Integer.parseInt(cell));
      } else {
        numbersRows = false;
      }
    }

    private void keep(double number) {
      if (sorted.length < numbers) {
        if (numbers * columns.size() > Rows.MAX_VALUES) {
          throw file.error("more than " + Rows.MAX_VALUES + " numbers: more than fit into memory");
        }
        sorted = Arrays.copyOf(sorted, Math.toIntExact(Math.max(1024, 2 * numbers)));
      }
      sorted[(int) numbers - 1] = number;
    }

    private InvalidDataException noDate(String cell) {
      return file.error(
          "%s is no date, as 'dates' says of %s: %s"
              .formatted(Texts.quote(cell), title(), Dates.FORMS));
    }

    /** Counts a cell, and returns whether it is a number. */
    boolean count(String cell) {
      if (!text && Missing.is(cell)) {
        firstMissingLine = missing == 0 ? file.line() : firstMissingLine;
        missing++;
        missingTexts.add(cell);
        return false;
      }
      if (time || (!text && TextPlace.isNumber(cell))) {
        numbers++;
        return true;
      }
      if (texts == 0) {
        firstText = cell;
        firstTextLine = file.line();
      }
      texts++;
      if (categories.size() <= maxCategories) {
        categories.add(cell);
      }
      return false;
    }

    boolean isMixed() {
      return texts > 0 && numbers > 0;
    }

    /** Returns whether the column contains numbers, but some cells have none. */
    boolean hasGaps() {
      return missing > 0 && texts == 0 && numbers > 0;
    }

    /** Returns the reason why a column without a name is not a feature; empty if it is one. */
    Optional<String> whyIgnored() {
      if (!header.isUnnamed(index) || text || time) {
        return Optional.empty();
      }
      if (numbersRows) {
        return Optional.of("has no name and numbers the rows");
      }
      return texts == 0 && numbers == 0 && missingTexts.equals(Set.of(""))
          ? Optional.of("has no name and is empty")
          : Optional.empty();
    }

    void checkNotMixed() {
      if (isMixed()) {
        String typed = header.typed(index);
        throw file.error(
            firstTextLine,
            "%s is not a number, and others in %s are%s: correct it, or give 'categories: %s' to take all as texts%s"
                .formatted(
                    Texts.quote(firstText),
                    title(),
                    TextPlace.hint(firstText),
                    typed,
                    index == label().index ? "" : ", or 'ignore: %s'".formatted(typed)));
      }
    }

    /** Checks that all cells of a column to predict are numbers. */
    void checkValues() {
      if (texts > 0) {
        throw file.error(
            firstTextLine,
            "%s is not a number, and `regression` is to predict the numbers of %s%s"
                .formatted(Texts.quote(firstText), title(), TextPlace.hint(firstText)));
      }
    }

    TableColumn toColumn() {
      String name = header.names().get(index);
      boolean isLabel = labelColumns.contains(this);
      if (header.isUnnamed(index)) {
        throw file.fileError(
            "%s has no name: name it, or leave it out with 'ignore: %s'"
                .formatted(title(), header.typed(index)));
      }
      if (texts > 0) {
        return TableColumn.texts(index, name, checkedCategories());
      }
      if (numbers == 0) {
        throw file.fileError(
            "%s: no training row has a value; 'ignore: %s' leaves it out"
                .formatted(title(), header.typed(index)));
      }
      double fill =
          switch (isLabel ? Missing.FAIL : options.missing()) {
            case MEAN -> mean;
            case MEDIAN -> median();
            case DROP, FAIL -> Double.NaN;
          };
      // A float could not represent days since 1970 to the minute.
      return options.standardized() || time
          ? standardized(name, fill)
          : new TableColumn(index, name, 0, 1, List.of(), false, fill);
    }

    /**
     * Returns the standardised column. The scale includes the filled gaps, which the model sees.
     */
    private TableColumn standardized(String name, double fill) {
      double all = numbers;
      double filledMean = mean;
      double filledSquares = squares;
      if (missing > 0) {
        all += missing;
        filledMean = (numbers * mean + missing * fill) / all;
        filledSquares +=
            numbers * (mean - filledMean) * (mean - filledMean)
                + missing * (fill - filledMean) * (fill - filledMean);
      }
      // The deviation of exactly these rows, not an estimate for others.
      double deviation = Math.sqrt(filledSquares / all);
      return new TableColumn(
          index,
          name,
          filledMean,
          deviation > 0 && !Double.isInfinite(deviation) ? deviation : 1,
          List.of(),
          time,
          fill);
    }

    private double median() {
      int count = (int) numbers;
      Arrays.sort(sorted, 0, count);
      return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    }

    private List<String> checkedCategories() {
      categories.addAll(missingTexts);
      int count = categories.size();
      if (!text && categories.stream().allMatch(it -> DECIMAL_COMMA.matcher(it).matches())) {
        throw file.fileError(
            "%s: %s: numbers need a decimal point, not a comma; 'categories: %s' takes them as categories"
                .formatted(title(), Texts.quote(firstText), header.typed(index)));
      }
      if (count > MAX_CATEGORIES || (count > FEW_CATEGORIES && 2L * count > texts + missing)) {
        boolean areDates = categories.stream().allMatch(it -> Dates.days(it).isPresent());
        throw file.fileError(
            "%s: %s different texts in %d training rows: too many for categories; 'ignore: %s' leaves it out%s"
                .formatted(
                    title(),
                    count > MAX_CATEGORIES ? "more than " + MAX_CATEGORIES : "" + count,
                    texts + missing,
                    header.typed(index),
                    areDates
                        ? ", 'dates: %s' takes dates as numbers".formatted(header.typed(index))
                        : ""));
      }
      return List.copyOf(categories);
    }

    String title() {
      return TableColumn.title(index, header.names().get(index));
    }
  }
}
