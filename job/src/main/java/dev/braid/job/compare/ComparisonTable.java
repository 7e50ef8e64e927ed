package dev.braid.job.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/** The figures of all runs, one run a row: the same cells for a terminal and for a page. */
public final class ComparisonTable {

  private static final String NOTHING = "–";
  private static final String GAP = "  ";

  /**
   * A column; its heading is in two lines, so that columns stay narrow.
   *
   * @param meaning in a sentence
   */
  record Column(String top, String bottom, String meaning, Function<Figures, String> cell) {
    String heading() {
      return (top + " " + bottom).strip();
    }
  }

  private final List<ComparedRun> runs;
  private final List<Column> columns;

  /** A table of these runs, in their order. */
  public ComparisonTable(List<ComparedRun> runs) {
    this.runs = List.copyOf(runs);
    this.columns = columns(target(runs));
  }

  /** The accuracy that all runs were to reach; none if they had none, or different ones. */
  static OptionalDouble target(List<ComparedRun> runs) {
    List<OptionalDouble> targets =
        runs.stream()
            .flatMap(run -> run.history().stream())
            .map(Figures::target)
            .distinct()
            .toList();
    return targets.size() == 1 ? targets.get(0) : OptionalDouble.empty();
  }

  private static List<Column> columns(OptionalDouble target) {
    List<Column> columns = new ArrayList<>();
    target.ifPresent(
        accuracy ->
            columns.add(
                new Column(
                    "time to",
                    shortPercent(accuracy),
                    "from the start of the run to the end of the evaluation that first reached the"
                        + " target accuracy; runs are evaluated after each epoch",
                    f ->
                        f.secondsToTarget().isPresent()
                            ? seconds(f.secondsToTarget().getAsDouble())
                            : "not reached")));
    columns.addAll(
        List.of(
            new Column(
                "best",
                "accuracy",
                "on the test set after the best epoch; each worker tests its own replica on its share",
                f -> format("%.2f %%", 100 * f.bestAccuracy())),
            new Column(
                "variance",
                "pp²",
                "of the accuracies of the replicas, each on the whole test set when its worker had"
                    + " computed its last gradient, in percentage points squared; where workers do"
                    + " not wait for each other",
                f -> optional(f.accuracyVariancePp2(), variance -> format("%.4f", variance))),
            new Column(
                "", "epochs", "passes over the training data", f -> Integer.toString(f.epochs())),
            new Column(
                "",
                "time",
                "from the start of the run to its last evaluation",
                f -> seconds(f.seconds())),
            new Column(
                "samples",
                "per s",
                "all workers together; the time of evaluations does not count",
                f -> format("%,.0f", f.samplesPerSecond())),
            new Column(
                "sent per",
                "worker",
                "bytes of all messages over all links, divided by the workers",
                f -> bytes(f.bytesPerWorker())),
            new Column(
                "staleness",
                "mean",
                "how many gradients of another worker were not yet in the weights that a gradient"
                    + " was computed from, and would have been if all kept step",
                f -> format("%.1f", f.staleness())),
            new Column(
                "staleness",
                "worst",
                "the same, of the worst gradient and the part of the model that lagged most",
                f -> Long.toString(f.worstStaleness())),
            new Column(
                "",
                "computing",
                "a worker's share of its time, without evaluations: gradients",
                f -> share(f.computing())),
            new Column(
                "",
                "waiting",
                "the same: for a batch, for others or for a link that is behind, for a checkpoint",
                f -> share(f.waiting())),
            new Column(
                "",
                "exchanging",
                "the same: from a gradient to the end of its round; where workers do not wait for"
                    + " each other, only applying it and handing it over: it travels meanwhile",
                f -> share(f.exchanging())),
            new Column(
                "",
                "p",
                "into how many parts a gradient was cut, one of which goes to each other worker in"
                    + " a round: the mean over the run",
                f -> f.partitions() == 0 ? NOTHING : format("%.1f", f.partitions())),
            new Column(
                "sent of",
                "planned",
                "bytes that were sent over those that Ako's cost model expects with its p, after the"
                    + " first epoch",
                f -> optional(f.sentOfPlanned(), ComparisonTable::share))));
    return columns;
  }

  List<Column> columns() {
    return columns;
  }

  List<ComparedRun> runs() {
    return runs;
  }

  /** A run's cells, without its name. */
  List<String> cells(ComparedRun run) {
    return columns.stream()
        .map(column -> run.figures().map(column.cell()).orElse(NOTHING))
        .toList();
  }

  /** The table for a terminal, with what went wrong below. */
  public List<String> lines() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(row("", columns.stream().map(Column::top).toList()));
    rows.add(row("exchange", columns.stream().map(Column::bottom).toList()));
    runs.forEach(run -> rows.add(row(run.name(), cells(run))));
    List<String> lines = new ArrayList<>(aligned(rows));
    for (ComparedRun run : runs) {
      run.trouble().ifPresent(what -> lines.add(run.name() + ": " + what));
    }
    return lines;
  }

  private static List<String> row(String first, List<String> others) {
    List<String> row = new ArrayList<>();
    row.add(first);
    row.addAll(others);
    return row;
  }

  /** Names to the left, figures to the right. */
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

  private static String optional(OptionalDouble figure, DoubleFunction<String> format) {
    return figure.isPresent() ? format.apply(figure.getAsDouble()) : NOTHING;
  }

  private static String seconds(double seconds) {
    return format("%.1f s", seconds);
  }

  private static String share(double share) {
    return format("%.0f %%", 100 * share);
  }

  /** 97 %, 97.5 %: as few digits as it was given with. */
  static String shortPercent(double share) {
    String digits = format("%.4f", 100 * share);
    return digits.replaceAll("\\.?0+$", "") + " %";
  }

  private static String bytes(double bytes) {
    return bytes < 1e9 ? format("%,.1f MB", bytes / 1e6) : format("%,.2f GB", bytes / 1e9);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
