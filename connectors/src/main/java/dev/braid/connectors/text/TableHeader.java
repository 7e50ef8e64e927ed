package dev.braid.connectors.text;

import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import dev.braid.connectors.text.TableOptions.Header;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The names of a table's columns. If the user does not say whether the first row has them, its
 * cells and those below decide:
 *
 * <ul>
 *   <li>text or nothing in every cell: names, if a number is below one of the texts, row numbers
 *       are below an empty first cell, or no text occurs again in its column
 *   <li>numbers that count from 0 or 1: names, if there are enough of them, or the texts next to
 *       them stand out from their columns
 *   <li>anything else: a sample
 * </ul>
 *
 * <p>A text stands out from a column of numbers. It also stands out from a column in which other
 * texts are repeated, as classes are, if it is not repeated itself. A first row whose last text
 * occurs again is a sample. If cells contradict each other, the user has to decide.
 *
 * @param names names of the columns, each empty if the first row has no names
 * @param present whether the first row has names
 * @param note a sentence for the user about the decision
 */
record TableHeader(List<String> names, boolean present, Optional<String> note) {

  /**
   * Smallest count of consecutive numbers that are certainly names; fewer may count from 0 or 1 by
   * chance.
   */
  static final int SURE_NUMBERS = 3;

  /** Smallest count of consecutive numbers if a text also stands out. */
  private static final int SURE_NEXT_TO_TEXT = 2;

  /**
   * Highest number of different texts of a column that are compared; with more, they are probably
   * free text.
   */
  private static final int MOST_TEXTS = 1 << 12;

  private static final int SHOWN_NAMES = 3;

  /** Determines whether the first row of a file has names, unless the user has said so. */
  static TableHeader of(DataFile data, Header asked) {
    try (CsvFile file = new CsvFile(data)) {
      List<String> first =
          file.next().orElseThrow(() -> file.fileError("has no samples; needs at least 1"));
      int line = file.line();
      if (asked == Header.NO) {
        return none(first);
      }
      Optional<List<String>> second = file.next();
      second.ifPresent(
          row -> {
            if (row.size() > first.size()) {
              throw file.error(
                  line,
                  "%d column%s, and %d in line %d: the first line is to have names for all columns, or a sample"
                      .formatted(
                          first.size(), first.size() == 1 ? "" : "s", row.size(), file.line()));
            }
          });
      return asked == Header.YES
          ? named(first, file, line, Optional.empty())
          : new Guess(file, first, line, second.orElse(List.of())).header();
    }
  }

  private static TableHeader none(List<String> first) {
    return new TableHeader(Collections.nCopies(first.size(), ""), false, Optional.empty());
  }

  /** Creates a header of names; names must be unique. */
  private static TableHeader named(
      List<String> first, CsvFile file, int line, Optional<String> note) {
    Map<String, Integer> columns = new HashMap<>();
    for (int i = 0; i < first.size(); i++) {
      Integer before = columns.put(first.get(i), i);
      if (before != null && !first.get(i).isEmpty()) {
        throw file.error(
            line,
            "columns %d and %d have the same name, %s: rename one, or give 'header: no' if the first row is a sample"
                .formatted(before + 1, i + 1, Texts.quote(first.get(i))));
      }
    }
    return new TableHeader(first, true, note);
  }

  /** The decision by the cells of the first row and those below. */
  private static final class Guess {
    private final CsvFile file;
    private final List<String> first;
    private final int line;
    private final List<String> second;

    /** Columns in which the first row's text occurs again. */
    private final BitSet again = new BitSet();

    /** Columns from which the first row's text stands out. */
    private final BitSet out = new BitSet();

    Guess(CsvFile file, List<String> first, int line, List<String> second) {
      this.file = file;
      this.first = first;
      this.line = line;
      this.second = second;
    }

    TableHeader header() {
      int numbers = (int) first.stream().filter(TextPlace::isNumber).count();
      return numbers == 0 ? ofTexts() : ofNumbers(numbers);
    }

    private TableHeader ofTexts() {
      boolean overNumbers = any(i -> isText(i) && isNumberBelow(i));
      if (overNumbers || (numbersRows() && isText(first.size() - 1))) {
        return named(first, file, line, Optional.empty());
      }
      List<String> texts = first.stream().filter(cell -> !Missing.is(cell)).toList();
      boolean distinct = new HashSet<>(texts).size() == texts.size();
      if (second.isEmpty() || !distinct) {
        return distinct ? named(first, file, line, Optional.empty()) : none(first);
      }
      look();
      if (again.get(first.size() - 1)) {
        return none(first);
      }
      if (!again.isEmpty() || texts.size() < first.size()) {
        throw doubt();
      }
      return named(first, file, line, Optional.empty());
    }

    private TableHeader ofNumbers(int numbers) {
      boolean hasTexts = any(this::isText);
      if (hasTexts) {
        look();
      }
      int last = first.size() - 1;
      if (second.isEmpty() || again.get(last)) {
        return none(first);
      }
      boolean counts = countsColumns() && numbers >= SURE_NEXT_TO_TEXT;
      boolean isSure =
          hasTexts ? !any(i -> isText(i) && !out.get(i)) : numbers >= SURE_NUMBERS || numbersRows();
      if (counts && isSure) {
        return named(first, file, line, Optional.of(numbersNote()));
      }
      boolean isOdd =
          hasTexts ? counts : counts && any(i -> isNumberBelow(i) && !isWhole(second.get(i)));
      if (isOdd || out.get(last) || any(i -> isText(i) && isNumberBelow(i))) {
        throw doubt();
      }
      return none(first);
    }

    private String numbersNote() {
      List<String> names = first.stream().filter(name -> !name.isEmpty()).toList();
      String shown = String.join(", ", names.subList(0, Math.min(SHOWN_NAMES, names.size())));
      return "the first row, %s%s, has the columns' names; 'header: no' makes it a sample"
          .formatted(shown, names.size() > SHOWN_NAMES ? " …" : "");
    }

    private InvalidDataException doubt() {
      return file.error(
          line,
          "the first row, %s, may have the columns' names or be a sample: 'header: yes' or 'header: no' decides"
              .formatted(Texts.list(first)));
    }

    private boolean any(IntPredicate cell) {
      return IntStream.range(0, first.size()).anyMatch(cell);
    }

    /**
     * Returns whether a cell may be a name: it is not a number, and does not mark a missing value.
     */
    private boolean isText(int column) {
      return !Missing.is(first.get(column)) && !TextPlace.isNumber(first.get(column));
    }

    private boolean isNumberBelow(int column) {
      return column < second.size() && TextPlace.isNumber(second.get(column));
    }

    private static boolean isWhole(String cell) {
      return cell.matches("-?[0-9]+");
    }

    /**
     * Returns whether row numbers are in a first column without a name, as pandas and R write them.
     */
    private boolean numbersRows() {
      return first.get(0).isEmpty()
          && !second.isEmpty()
          && (second.get(0).equals("0") || second.get(0).equals("1"));
    }

    /** Returns whether the first row's numbers are consecutive, from 0 or 1. */
    private boolean countsColumns() {
      List<String> numbers = first.stream().filter(TextPlace::isNumber).toList();
      int from = numbers.get(0).equals("0") ? 0 : 1;
      return IntStream.range(0, numbers.size())
          .allMatch(i -> numbers.get(i).equals(Integer.toString(from + i)));
    }

    /**
     * Looks for the first row's texts below it. If the last text occurs again, the search ends,
     * because this decides.
     */
    private void look() {
      int last = first.size() - 1;
      Map<Integer, Set<String>> others = new HashMap<>();
      for (Optional<List<String>> row = Optional.of(second).filter(it -> !it.isEmpty());
          row.isPresent() && !again.get(last);
          row = file.next()) {
        for (int i = 0; i < Math.min(first.size(), row.get().size()); i++) {
          if (isText(i) && !again.get(i)) {
            String cell = row.get().get(i);
            Set<String> texts = others.computeIfAbsent(i, key -> new HashSet<>());
            boolean repeats = texts.size() < MOST_TEXTS && !texts.add(cell);
            out.set(i, out.get(i) || repeats || TextPlace.isNumber(cell));
            again.set(i, cell.equals(first.get(i)));
          }
        }
      }
      out.andNot(again);
    }
  }

  /**
   * Returns the position of a column that is given by its name or its number.
   *
   * @param option the option with which the user has named it, for the message
   * @param fileName name of the file, for the message
   */
  int find(String option, String column, String fileName) {
    int named = present && !column.isEmpty() ? names.indexOf(column) : -1;
    if (named >= 0) {
      return named;
    }
    if (column.matches("[1-9]\\d{0,8}") && Integer.parseInt(column) <= names.size()) {
      return Integer.parseInt(column) - 1;
    }
    throw new InvalidDataException(
        fileName
            + ": "
            + option
            + " "
            + Texts.shorten(column)
            + ": no such column; "
            + (present
                ? "there are " + Texts.list(names.stream().filter(it -> !it.isEmpty()).toList())
                : "a number is needed")
            + ", or 1 to "
            + names.size());
  }

  /**
   * Returns a column in the form for options: its number, unless the number is another column's
   * name.
   */
  String typed(int column) {
    String number = Integer.toString(column + 1);
    int named = present ? names.indexOf(number) : -1;
    return named < 0 || named == column ? number : names.get(column);
  }

  /** Returns whether the other columns have names, but this column does not. */
  boolean isUnnamed(int column) {
    return present && names.get(column).isEmpty();
  }
}
