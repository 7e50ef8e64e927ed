package dev.braid.connectors.text;

import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import dev.braid.learner.Shape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/**
 * Finds out what the columns of a table are, in one pass over its training rows: the classes, or
 * the values' scales, the categories of texts, in their alphabetical order, and means and
 * deviations (Welford's way, row by row). The same file gives the same numbers, bit for bit.
 */
public final class TableFit {

  /** Texts that differ; with more, a column is likely names or words. */
  static final int MAX_CATEGORIES = 1000;

  /** A column may have as many different texts, however few rows there are. */
  private static final int FEW_CATEGORIES = 20;

  /** As tables are exported where the decimal point is a comma. */
  private static final Pattern DECIMAL_COMMA = Pattern.compile("[-+]?\\d*,?\\d+");

  private static final int MAX_LABEL_TEXTS = 1 << 17;

  /**
   * All that is known of a table then.
   *
   * @param classes the label of each class; none where labels are values
   */
  public record Fitted(TableSchema schema, List<String> classes) {}

  private final CsvFile file;
  private final TableHeader header;
  private final TableOptions options;
  private final Shape.Kind kind;
  private final List<Column> columns = new ArrayList<>();
  private final List<Column> labelColumns = new ArrayList<>();
  private final BitSet labels = new BitSet();
  private int leastLabel;
  private int rows;
  private int trainingRows;

  private TableFit(CsvFile file, TableHeader header, TableOptions options, Shape.Kind kind) {
    this.file = file;
    this.header = header;
    this.options = options;
    this.kind = kind;
    int width = header.names().size();
    Set<Integer> labelled = findLabels(width);
    Set<Integer> texts = find("--text", options.text());
    Set<Integer> ignored = find("--ignore", options.ignored());
    checkNotIgnored(labelled, ignored);
    for (int index : labelled) {
      labelColumns.add(new Column(index, texts.contains(index), MAX_LABEL_TEXTS));
    }
    for (int i = 0; i < width; i++) {
      if (!labelled.contains(i) && !ignored.contains(i)) {
        columns.add(new Column(i, texts.contains(i), MAX_CATEGORIES));
      }
    }
    if (columns.isEmpty()) {
      throw file.error(
          width == 1
              ? "1 column: at least a feature and the label are needed"
              : "no column is left as a feature: at least 1 is needed");
    }
  }

  /** In the order in which they are asked for. */
  private Set<Integer> findLabels(int width) {
    String asked = options.label();
    if (asked.isEmpty()) {
      return Set.of(width - 1);
    }
    boolean isOne = kind == Shape.Kind.CLASSES || header.names().contains(asked);
    List<String> names = isOne ? List.of(asked) : List.of(asked.split("\\s*,\\s*", -1));
    Set<Integer> found = find("--label", names);
    if (found.size() < names.size()) {
      throw file.fileError("--label " + Texts.shorten(asked) + ": a column is named twice");
    }
    return found;
  }

  private void checkNotIgnored(Set<Integer> labelled, Set<Integer> ignored) {
    for (int index : ignored) {
      if (labelled.contains(index)) {
        throw file.fileError(
            "--ignore %d: %s is %s; --label names another"
                .formatted(
                    index + 1,
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
   * @param isTraining which rows train, by their number, from 0
   * @param leastRows how many rows there are to be
   * @param classes how many classes the user says there are; 0 for as many as the labels show
   * @param classNames the labels that the user says there are; none for those that are found
   */
  public static Fitted fit(
      DataFile data,
      TableOptions options,
      Shape.Kind kind,
      IntPredicate isTraining,
      int leastRows,
      int classes,
      List<String> classNames) {
    TableHeader header = TableHeader.of(data);
    try (CsvFile file = new CsvFile(data)) {
      TableFit fit = new TableFit(file, header, options, kind);
      fit.read(isTraining, !classNames.isEmpty());
      TextSamples.checkRows(file, fit.rows, leastRows);
      if (kind == Shape.Kind.VALUES) {
        fit.labelColumns.forEach(Column::checkValues);
        return new Fitted(fit.schema(), List.of());
      }
      return new Fitted(fit.schema(), classNames.isEmpty() ? fit.classes(classes) : classNames);
    }
  }

  private void read(IntPredicate isTraining, boolean labelsKnown) {
    Optional<List<String>> row = file.next();
    if (header.present()) {
      row = file.next();
    }
    for (; row.isPresent(); row = file.next()) {
      checkWidth(file, row.get().size(), header.names().size());
      if (isTraining.test(rows)) {
        for (Column column : columns) {
          column.add(row.get().get(column.index));
        }
        if (kind == Shape.Kind.VALUES) {
          for (Column column : labelColumns) {
            column.add(row.get().get(column.index));
          }
        } else if (!labelsKnown) {
          addLabel(row.get().get(label().index));
        }
        trainingRows++;
      }
      rows++;
    }
  }

  static void checkWidth(TextPlace file, int width, int expected) {
    if (width != expected) {
      throw file.error(width + " columns: " + expected + " as in the lines above are needed");
    }
  }

  /** Of the class. */
  private Column label() {
    return labelColumns.get(0);
  }

  private void addLabel(String cell) {
    Column label = label();
    if (cell.isEmpty()) {
      throw file.error("no label in " + label.title());
    }
    if (!label.text && TextPlace.isNumber(cell)) {
      int number = file.parseLabel(cell);
      leastLabel = Math.min(leastLabel, number);
      labels.set(Math.max(0, number));
    }
    label.count(cell);
  }

  private TableSchema schema() {
    if (columns.stream().anyMatch(column -> column.isMixed())) {
      columns.forEach(Column::checkNotMixed);
    }
    List<TableColumn> found = columns.stream().map(Column::toColumn).toList();
    long features = found.stream().mapToLong(TableColumn::width).sum();
    if (features > TextFormat.MAX_FEATURES) {
      throw file.fileError(
          features + " features with all categories: " + TextFormat.MAX_FEATURES + " are the most");
    }
    List<TableColumn> labels =
        kind == Shape.Kind.VALUES
            ? labelColumns.stream().map(Column::toColumn).toList()
            : List.of(TableColumn.numbers(label().index, header.names().get(label().index)));
    return new TableSchema(header.present(), header.names().size(), labels, found);
  }

  private List<String> classes(int expected) {
    Column label = label();
    label.checkNotMixed();
    boolean texts = label.texts > 0;
    if (texts && label.categories.size() < 2) {
      throw file.fileError(
          "%s: every label is %s: at least 2 classes are needed"
              .formatted(label.title(), Texts.quote(label.categories.first())));
    }
    if (texts && expected > 0 && expected != label.categories.size()) {
      throw file.fileError(
          "%s: %,d different texts as labels, and --classes %d: the names of all classes, with commas between, are needed"
              .formatted(label.title(), label.categories.size(), expected));
    }
    if (expected > 0) {
      return texts ? List.copyOf(label.categories) : Labels.numbered(expected);
    }
    String place = file.name() + ": " + label.title();
    String hint = "give --label and the column of the class, or ";
    if (texts) {
      LabelCheck.checkCount(place, label.categories.size(), trainingRows, hint, "");
      return List.copyOf(label.categories);
    }
    if (leastLabel < 0) {
      throw new InvalidDataException(
          "%s: label %d: classes are counted from 0; --classes and all labels, with commas between, gives them other names%s"
              .formatted(place, leastLabel, LabelCheck.REGRESSION));
    }
    if (labels.length() < 2) {
      throw file.fileError("no label above 0: at least 2 classes are needed");
    }
    LabelCheck.check(place, labels, trainingRows, hint, LabelCheck.REGRESSION);
    return Labels.numbered(labels.length());
  }

  /** What is found of one column. */
  private final class Column {
    private final int index;
    private final boolean text;
    private final int maxCategories;
    private final SortedSet<String> categories = new TreeSet<>();
    private String firstText = "";
    private int firstTextLine;
    private long numbers;
    private long texts;
    private double mean;
    private double squares;

    /**
     * @param text whether numbers are texts here, too
     */
    Column(int index, boolean text, int maxCategories) {
      this.index = index;
      this.text = text;
      this.maxCategories = maxCategories;
    }

    void add(String cell) {
      if (count(cell)) {
        double number = file.parseFeature(cell);
        double before = number - mean;
        mean += before / numbers;
        squares += before * (number - mean);
      }
    }

    /** Returns whether it is a number. */
    boolean count(String cell) {
      if (!text && TextPlace.isNumber(cell)) {
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

    void checkNotMixed() {
      if (isMixed()) {
        int number = index + 1;
        throw file.error(
            firstTextLine,
            "%s is not a number, and others in %s are: correct it, or give --text %d to take all as texts%s"
                .formatted(
                    Texts.quote(firstText),
                    title(),
                    number,
                    index == label().index ? "" : ", or --ignore %d".formatted(number)));
      }
    }

    /** That all of a column that is to be predicted are numbers. */
    void checkValues() {
      if (texts > 0) {
        throw file.error(
            firstTextLine,
            "%s is not a number, and --regression is to predict the numbers of %s%s"
                .formatted(
                    Texts.quote(firstText),
                    title(),
                    firstText.isEmpty() ? ": Braid fills no gaps" : ""));
      }
    }

    TableColumn toColumn() {
      String name = header.names().get(index);
      if (texts > 0) {
        checkCategories();
        return TableColumn.texts(index, name, List.copyOf(categories));
      }
      // The deviation of these rows, not an estimate of that of others.
      double deviation = numbers == 0 ? 0 : Math.sqrt(squares / numbers);
      if (!options.standardized()) {
        return TableColumn.numbers(index, name);
      }
      return new TableColumn(
          index,
          name,
          mean,
          deviation > 0 && !Double.isInfinite(deviation) ? deviation : 1,
          List.of());
    }

    private void checkCategories() {
      int count = categories.size();
      if (count > MAX_CATEGORIES || (count > FEW_CATEGORIES && 2L * count > texts)) {
        if (categories.stream().allMatch(text -> DECIMAL_COMMA.matcher(text).matches())) {
          throw file.fileError(
              "%s: %s: numbers need a decimal point, not a comma"
                  .formatted(title(), Texts.quote(categories.first())));
        }
        throw file.fileError(
            "%s: %s different texts in %,d training rows: too many for categories; --ignore %d leaves it out"
                .formatted(
                    title(),
                    count > MAX_CATEGORIES ? "more than " + MAX_CATEGORIES : "" + count,
                    texts,
                    index + 1));
      }
    }

    String title() {
      return TableColumn.title(index, header.names().get(index));
    }
  }
}
