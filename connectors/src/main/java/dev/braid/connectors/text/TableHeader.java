package dev.braid.connectors.text;

import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * The first row of a table, with or without the columns' names. It has them if no cell of it is a
 * number or empty, all differ, and the next row has a number, or none of the same texts.
 *
 * @param names of the columns; empty texts where the first row has none
 * @param present whether the first row has names
 */
record TableHeader(List<String> names, boolean present) {

  /** What the first two rows of a file have. */
  static TableHeader of(DataFile data) {
    try (CsvFile file = new CsvFile(data)) {
      Optional<List<String>> first = file.next();
      if (first.isEmpty()) {
        throw file.fileError("no samples: at least 1 is needed");
      }
      Optional<List<String>> second = first.isEmpty() ? first : file.next();
      return isNames(first.get(), second.orElse(List.of()))
          ? new TableHeader(first.get(), true)
          : new TableHeader(Collections.nCopies(first.get().size(), ""), false);
    }
  }

  private static boolean isNames(List<String> first, List<String> second) {
    boolean names =
        first.stream().noneMatch(cell -> cell.isEmpty() || TextPlace.isNumber(cell))
            && new HashSet<>(first).size() == first.size();
    if (!names || second.stream().anyMatch(TextPlace::isNumber)) {
      return names;
    }
    for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
      if (first.get(i).equals(second.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * A column by its name or its number.
   *
   * @param option what the user has said it with, for the message
   * @param fileName for the message
   */
  int find(String option, String column, String fileName) {
    int named = present ? names.indexOf(column) : -1;
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
            + (present ? "there are " + Texts.list(names) : "a number is needed")
            + ", or 1 to "
            + names.size());
  }
}
