package dev.braid.connectors.text;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;

/** Findings about one column of a table. */
final class ColumnFit {

  /** Highest number of different texts; a column with more probably contains names or free text. */
  private static final int MAX_CATEGORIES = 1000;

  /** Number of different texts that a column may have for any number of rows. */
  private static final int FEW_CATEGORIES = 20;

  /** A number with a decimal comma, as tables in some languages have it. */
  private static final Pattern DECIMAL_COMMA = Pattern.compile("[-+]?\\d*,?\\d+");

  private static final int MAX_LABEL_TEXTS = 1 << 17;

  private final CsvFile file;
  private final TableHeader header;
  private final TableOptions options;
  private final int index;
  private final boolean isLabel;
  private final boolean text;
  private final boolean time;
  private final IntSupplier columns;
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
   * @param isLabel whether the column contains labels
   * @param text whether numbers are texts in this column, too
   * @param time whether numbers are written as dates
   * @param columns returns the number of columns of features
   */
  ColumnFit(
      CsvFile file,
      TableHeader header,
      TableOptions options,
      int index,
      boolean isLabel,
      boolean text,
      boolean time,
      IntSupplier columns) {
    this.file = file;
    this.header = header;
    this.options = options;
    this.index = index;
    this.isLabel = isLabel;
    this.text = text;
    this.time = time;
    this.columns = columns;
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
      if (numbers * columns.getAsInt() > Rows.MAX_VALUES) {
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
    if (categories.size() <= (isLabel ? MAX_LABEL_TEXTS : MAX_CATEGORIES)) {
      categories.add(cell);
    }
    return false;
  }

  int index() {
    return index;
  }

  /** Returns whether numbers are texts in this column, too. */
  boolean isOfTexts() {
    return text;
  }

  boolean hasNumbers() {
    return numbers > 0;
  }

  /** Returns the number of cells that mark a missing number. */
  long missing() {
    return missing;
  }

  /** Returns the line of the first cell that marks a missing number. */
  int firstMissingLine() {
    return firstMissingLine;
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
                  isLabel ? "" : ", or 'ignore: %s'".formatted(typed)));
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

  /** Returns the standardised column. The scale includes the filled gaps, which the model sees. */
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

  /** Returns all texts, including those that mark missing numbers in columns of numbers. */
  SortedSet<String> allTexts() {
    categories.addAll(missingTexts);
    return categories;
  }

  private List<String> checkedCategories() {
    int count = allTexts().size();
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
