package dev.braid.job.compare;

import dev.braid.job.compare.Figures.Compression;
import dev.braid.run.result.ByteCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Figures that a comparison shows of each run. */
final class Columns {

  /** Cell of a figure that a run does not have. */
  static final String NOTHING = "–";

  private static final double MANY = 1e12;

  /** Space that does not break a line. */
  private static final char NO_BREAK = '\u00a0';

  /** A run with its figures, computed once from all its epochs. */
  record Row(ComparedRun run, Optional<Figures> figures) {

    static Row of(ComparedRun run) {
      return new Row(run, run.figures());
    }
  }

  /** Rule for the best figure of a column. */
  enum Best {
    LEAST,
    MOST,
    /** No figure is better than another. */
    NONE
  }

  /**
   * A figure.
   *
   * @param meaning explanation in a sentence
   * @param value number by which cells are compared; empty if a run has no such figure
   */
  record Column(
      String heading,
      String meaning,
      Function<Figures, String> cell,
      Best best,
      Function<Figures, OptionalDouble> value) {

    Column(String heading, String meaning, Function<Figures, String> cell) {
      this(heading, meaning, cell, Best.NONE, figures -> OptionalDouble.empty());
    }

    String cell(Row row) {
      return row.figures().map(cell).orElse(NOTHING);
    }

    /**
     * Returns whether a run's figure is the best of these runs; false if all runs have the same
     * cell.
     */
    boolean isBest(Row row, List<Row> rows) {
      if (best == Best.NONE || rows.stream().map(this::cell).distinct().count() < 2) {
        return false;
      }
      double sign = best == Best.LEAST ? 1 : -1;
      OptionalDouble own = value(row);
      return own.isPresent()
          && rows.stream()
              .map(this::value)
              .flatMapToDouble(OptionalDouble::stream)
              .allMatch(other -> sign * own.getAsDouble() <= sign * other);
    }

    private OptionalDouble value(Row row) {
      return row.figures().map(value).orElse(OptionalDouble.empty());
    }
  }

  private Columns() {}

  /** Returns the columns in which at least one run has a figure. */
  static List<Column> of(List<Row> rows, Optional<Figures.Target> target) {
    List<Column> columns = new ArrayList<>();
    target.ifPresent(wanted -> columns.add(timeTo(wanted)));
    columns.addAll(quality(set(rows.stream().map(Row::run).toList())));
    columns.addAll(cost());
    columns.addAll(sharing());
    columns.addAll(compression());
    columns.removeIf(column -> rows.stream().allMatch(row -> column.cell(row).equals(NOTHING)));
    return List.copyOf(columns);
  }

  private static Column timeTo(Figures.Target target) {
    String wanted = target.isLoss() ? "loss " + target.value() : shortPercent(target.value());
    return new Column(
        "time to " + wanted.replace(' ', NO_BREAK),
        "Time from the start of the run to the end of the first evaluation that reached the target"
            + (target.isLoss() ? " loss" : " accuracy")
            + ". Runs are evaluated after each epoch.",
        f ->
            f.secondsToTarget().isPresent()
                ? seconds(f.secondsToTarget().getAsDouble())
                : "not reached",
        Best.LEAST,
        Figures::secondsToTarget);
  }

  /** Returns the name of the samples that models were evaluated on. */
  static String set(List<ComparedRun> runs) {
    List<String> sets =
        runs.stream()
            .flatMap(run -> run.history().stream())
            .map(run -> run.head().evaluated().word())
            .distinct()
            .toList();
    return String.join(" or ", sets);
  }

  private static List<Column> quality(String set) {
    return List.of(
        new Column(
            "best " + set + " accuracy",
            "Highest point of the plots: the accuracy after an epoch, for which each worker evaluates"
                + " its replica on a share of the "
                + set
                + " samples, or the accuracy of the saved model. A * marks an accuracy on a part of"
                + " these samples, because workers were unreachable.",
            f -> figure(f, optional(known(f.best().accuracy()), Columns::percent)),
            Best.MOST,
            f -> known(f.best().accuracy())),
        new Column(
            "least " + set + " loss",
            "Lowest loss after an epoch, or of the saved model, for models that predict values. A *"
                + " marks a loss on a part of the set.",
            f -> figure(f, optional(known(f.best().lossOfValues()), loss -> format("%.4g", loss))),
            Best.LEAST,
            f -> known(f.best().lossOfValues())),
        new Column(
            set + " R²",
            "Share of the variance of the values that the model with the least loss explains.",
            f -> optional(known(f.best().r2()), r2 -> number("%.4f", r2)),
            Best.MOST,
            f -> known(f.best().r2())),
        new Column(
            "variance pp²",
            "Variance of the accuracies of the replicas, in percentage points squared, for"
                + " asynchronous exchanges. Each replica is evaluated on the whole set when its"
                + " worker has computed its last gradient.",
            f -> optional(f.accuracyVariancePp2(), variance -> number("%.4f", variance)),
            Best.LEAST,
            Figures::accuracyVariancePp2));
  }

  private static List<Column> cost() {
    return List.of(
        new Column("epochs", "Passes over the training data.", f -> Integer.toString(f.epochs())),
        new Column(
            "time",
            "Time from the start of the run to its last evaluation.",
            f -> seconds(f.seconds())),
        new Column(
            "samples per s",
            "Throughput of all workers together, excluding evaluations.",
            f -> number("%,.0f", f.samplesPerSecond()),
            Best.MOST,
            f -> OptionalDouble.of(f.samplesPerSecond())),
        new Column(
            "sent per worker",
            "Bytes of all messages over all links, divided by the number of workers.",
            f -> bytes(f.bytesPerWorker()),
            Best.LEAST,
            f -> OptionalDouble.of(f.bytesPerWorker())));
  }

  private static List<Column> sharing() {
    return List.of(
        new Column(
            "staleness mean",
            "Mean number of gradients of another worker that the weights lacked when a gradient was"
                + " computed, compared with workers in lockstep.",
            f -> number("%.1f", f.staleness())),
        new Column(
            "staleness worst",
            "Largest such number, over all gradients and all parts of the model.",
            f -> Long.toString(f.worstStaleness())),
        new Column(
            "computing",
            "Share of a worker's time, excluding evaluations, spent on computing gradients.",
            f -> share(f.computing()),
            Best.MOST,
            f -> OptionalDouble.of(f.computing())),
        new Column(
            "waiting",
            "Share of that time spent on waiting for a batch, other workers, a slow link or a"
                + " checkpoint.",
            f -> share(f.waiting())),
        new Column(
            "exchanging",
            "Share of that time from a gradient to the end of its round. In an asynchronous exchange,"
                + " only applying the gradient and handing it over: it is sent in the background.",
            f -> share(f.exchanging())),
        new Column(
            "p",
            "Number of parts of a gradient, one of which goes to each other worker in a round: the"
                + " mean over the run.",
            f -> f.partitions() == 0 ? NOTHING : number("%.1f", f.partitions())),
        new Column(
            "sent of planned",
            "Bytes sent after the first epoch, divided by the bytes that the cost model of Ako"
                + " expects with its p.",
            f -> optional(f.sentOfPlanned(), Columns::share)));
  }

  /** Returns the figures of compressed gradients. */
  private static List<Column> compression() {
    return List.of(
        new Column(
            "density",
            "Share of the elements of a gradient that were sent, for compressed gradients.",
            f -> compressed(f, Compression::density, density -> format("%.3g %%", 100 * density))),
        new Column(
            "threshold",
            "Absolute value that these elements of the mean gradient of a batch exceeded: the mean"
                + " over the run.",
            f -> aboveZero(f, Compression::threshold)),
        new Column(
            "residual norm",
            "Euclidean norm of the residual, which is the part of the mean gradient of a batch that a"
                + " worker had not sent: the mean over the run.",
            f -> aboveZero(f, Compression::residualNorm)),
        new Column(
            "values before",
            "Size of the gradient values that a worker sent, as float32.",
            f -> compressed(f, Compression::plainBytes, Columns::bytes)),
        new Column(
            "values sent",
            "Size of these values as sent.",
            f -> compressed(f, Compression::sentBytes, Columns::bytes)),
        new Column(
            "compression",
            "Ratio of these two sizes. Messages also have other bytes.",
            f -> compressed(f, Compression::ratio, Columns::times),
            Best.MOST,
            f -> compressed(f, Compression::ratio)));
  }

  /** Formats a ratio with three digits, or from a thousand on without decimals and exponent. */
  private static String times(double ratio) {
    return number(ratio < 999.5 ? "%.3g" : "%,.0f", ratio) + "x";
  }

  private static OptionalDouble compressed(Figures figures, ToDoubleFunction<Compression> of) {
    return figures.compression().stream().mapToDouble(of).findFirst();
  }

  private static String compressed(
      Figures figures, ToDoubleFunction<Compression> of, DoubleFunction<String> format) {
    return optional(compressed(figures, of), format);
  }

  /**
   * Formats a figure, or none if it is 0: rounding codecs have neither a threshold nor a residual.
   */
  private static String aboveZero(Figures figures, ToDoubleFunction<Compression> of) {
    return compressed(figures, of, value -> value > 0 ? format("%.3g", value) : NOTHING);
  }

  private static OptionalDouble known(double figure) {
    return Double.isNaN(figure) ? OptionalDouble.empty() : OptionalDouble.of(figure);
  }

  private static String figure(Figures figures, String words) {
    return figures.bestOfPart() && !words.equals(NOTHING) ? words + " *" : words;
  }

  private static String optional(OptionalDouble figure, DoubleFunction<String> format) {
    return figure.isPresent() ? format.apply(figure.getAsDouble()) : NOTHING;
  }

  private static String seconds(double seconds) {
    return number("%.1f", seconds) + " s";
  }

  private static String share(double share) {
    return number("%.0f", 100 * share) + " %";
  }

  private static String percent(double share) {
    return number("%.2f", 100 * share) + " %";
  }

  /** Returns a percentage without trailing zeros: 97 %, 97.5 %. */
  static String shortPercent(double share) {
    String digits = number("%.4f", 100 * share);
    return (digits.contains("e") ? digits : digits.replaceAll("\\.?0+$", "")) + " %";
  }

  private static String bytes(double bytes) {
    return ByteCount.inWords(Math.round(bytes));
  }

  /**
   * Formats a number. Numbers too large for any run, which a file may still have, get few digits.
   */
  private static String number(String pattern, double value) {
    return format(Math.abs(value) < MANY ? pattern : "%.2e", value);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
