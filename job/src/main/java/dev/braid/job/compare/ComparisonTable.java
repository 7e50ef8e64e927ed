package dev.braid.job.compare;

import dev.braid.job.compare.Columns.Column;
import dev.braid.job.compare.Columns.Row;
import dev.braid.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The figures of all runs, with the same cells for a terminal and for a page. */
final class ComparisonTable {

  /** Longest line, in characters. */
  static final int MAX_WIDTH = 80;

  /**
   * Longest name of a run, in characters. It leaves room for the name of a figure on the same line.
   */
  private static final int LONGEST_NAME = 58;

  private static final String GAP = "  ";
  private static final String RUNS = "exchange";

  private final List<Row> rows;
  private final List<Column> columns;

  /** Creates a table of these runs, in their order. */
  ComparisonTable(List<ComparedRun> runs) {
    this.rows = runs.stream().map(Row::of).toList();
    this.columns = Columns.of(rows, target(runs));
  }

  /** Returns the common target of all runs; empty if they have none, or different ones. */
  static Optional<Figures.Target> target(List<ComparedRun> runs) {
    List<Optional<Figures.Target>> targets =
        runs.stream()
            .flatMap(run -> run.history().stream())
            .map(Figures::target)
            .distinct()
            .toList();
    return targets.size() == 1 ? targets.get(0) : Optional.empty();
  }

  List<Column> columns() {
    return columns;
  }

  List<Row> rows() {
    return rows;
  }

  /**
   * Returns the table for a terminal, followed by the runs' problems. A line has a figure and a
   * column has a run. Runs that are too wide side by side are split into blocks, one below the
   * other.
   */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    int from = 0;
    while (from < rows.size()) {
      if (from > 0) {
        lines.add("");
      }
      int to = from + fitting(rows.subList(from, rows.size()));
      lines.addAll(block(rows.subList(from, to)));
      from = to;
    }
    for (Row row : rows) {
      row.run().trouble().ifPresent(what -> lines.add(row.run().name() + ": " + what));
    }
    return lines;
  }

  /** Returns how many of these runs fit side by side, 1 or more. */
  private int fitting(List<Row> some) {
    int fitting = 1;
    while (fitting < some.size()
        && block(some.subList(0, fitting + 1)).get(0).length() <= MAX_WIDTH) {
      fitting++;
    }
    return fitting;
  }

  /** Returns a block with a line for each figure and a column for each run. */
  private List<String> block(List<Row> some) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(line(RUNS, some, row -> Printable.shortened(row.run().name(), LONGEST_NAME)));
    columns.forEach(column -> lines.add(line(column.heading(), some, column::cell)));
    return aligned(lines);
  }

  private static List<String> line(String first, List<Row> some, Function<Row, String> cell) {
    List<String> line = new ArrayList<>();
    line.add(first);
    some.forEach(row -> line.add(cell.apply(row)));
    return line;
  }

  /** Aligns names to the left and figures to the right. */
  private static List<String> aligned(List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line =
          new StringBuilder(row.get(0) + " ".repeat(widths[0] - row.get(0).length()));
      for (int i = 1; i < widths.length; i++) {
        line.append(GAP).append(" ".repeat(widths[i] - row.get(i).length())).append(row.get(i));
      }
      lines.add(line.toString());
    }
    return lines;
  }
}
