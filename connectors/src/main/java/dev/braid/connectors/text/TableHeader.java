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
 * What the columns of a table are called. Whether the first row says so, its cells and those below
 * decide:
 *
 * <ul>
 *   <li>text or nothing in every cell: names, if a number is below one of the texts, row numbers
 *       are below an empty first cell, or no text occurs again in its column
 *   <li>numbers that count from 0 or 1: names, if there are enough of them, or the texts next to
 *       them stand out from their columns
 *   <li>anything else: a sample
 * </ul>
 *
 * <p>A text stands out from a column of numbers, and from texts of which some occur again, as
 * classes do, where it does not. A first row whose last text occurs again is a sample. The user
 * decides where cells contradict each other.
 *
 * @param names of the columns, each empty where the first row has none
 * @param present whether the first row has names
 * @param note what the user may want to know of the decision
 */
record TableHeader(List<String> names, boolean present, Optional<String> note) {

  /** Fewer numbers in a row may count from 0 or 1 by chance. */
  static final int SURE_NUMBERS = 3;

  /** Numbers that suffice where a text stands out, too. */
  private static final int SURE_NEXT_TO_TEXT = 2;

  /** Texts of a column that are compared; with more, they are likely free text. */
  private static final int MOST_TEXTS = 1 << 12;

  private static final int SHOWN_NAMES = 3;

  /** Finds out what the first row of a file is, unless the user knows. */
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

  /** Names that are there twice name nothing. */
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

  /** Decides by the cells of the first row and those below. */
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

    /** Whether it may be a name, and is not what stands for a number that is missing. */
    private boolean isText(int column) {
      return !Missing.is(first.get(column)) && !TextPlace.isNumber(first.get(column));
    }

    private boolean isNumberBelow(int column) {
      return column < second.size() && TextPlace.isNumber(second.get(column));
    }

    private static boolean isWhole(String cell) {
      return cell.matches("-?[0-9]+");
    }

    /** Whether row numbers are in a first column without a name, as pandas and R write them. */
    private boolean numbersRows() {
      return first.get(0).isEmpty()
          && !second.isEmpty()
          && (second.get(0).equals("0") || second.get(0).equals("1"));
    }

    /** Whether its numbers are consecutive, from 0 or 1. */
    private boolean countsColumns() {
      List<String> numbers = first.stream().filter(TextPlace::isNumber).toList();
      int from = numbers.get(0).equals("0") ? 0 : 1;
      return IntStream.range(0, numbers.size())
          .allMatch(i -> numbers.get(i).equals(Integer.toString(from + i)));
    }

    /** Looks for the first row's texts below it; the last one's fate settles the matter. */
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
   * A column by its name or its number.
   *
   * @param option what the user has said it with, for the message
   * @param fileName for the message
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

  /** Returns a column as options name it: by its number, unless another has that as its name. */
  String typed(int column) {
    String number = Integer.toString(column + 1);
    int named = present ? names.indexOf(number) : -1;
    return named < 0 || named == column ? number : names.get(column);
  }

  /** Whether there are names, and this column has none. */
  boolean isUnnamed(int column) {
    return present && names.get(column).isEmpty();
  }
}
