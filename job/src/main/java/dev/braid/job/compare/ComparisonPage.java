package dev.braid.job.compare;

import static dev.braid.job.page.Html.escape;
import static dev.braid.job.page.Html.tag;

import dev.braid.job.compare.Columns.Column;
import dev.braid.job.compare.Columns.Row;
import dev.braid.job.page.Html;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.TestScore;
import dev.braid.text.Printable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * A comparison as one self-contained HTML page: figures, plots and conditions. Without scripts, the
 * page still has its tables.
 */
final class ComparisonPage {

  /**
   * Longest name in the table's first column, in characters. The column is fixed when the others
   * scroll.
   */
  private static final int LONGEST_NAME = 48;

  /** Data of the plots in the page's script. */
  private record Plots(String score, boolean isShare, OptionalDouble target, List<Line> runs) {}

  /**
   * Data of one run.
   *
   * @param scores the scores from which the table takes the best
   * @param shares shares of the time for computing, waiting and exchanging
   */
  private record Line(String name, List<Score> scores, List<Point> epochs, List<Double> shares) {}

  /** Score of the model at the end of an epoch, or of the saved model. */
  private record Score(int epoch, double seconds, double score) {}

  /** Figures at the end of an epoch. */
  private record Point(int epoch, double seconds, double loss, double bytesPerWorker) {}

  private ComparisonPage() {}

  /**
   * Returns the page's HTML.
   *
   * @param links from a run's name to its results, relative to the page
   * @param notes sentences on how the runs were made
   */
  static String of(List<ComparedRun> runs, Map<String, String> links, List<String> notes) {
    ComparisonTable table = new ComparisonTable(runs);
    RunConditions conditions = RunConditions.of(runs);
    Map<String, String> parts =
        Map.of(
            "title", "Exchanges compared",
            "Score", escape(capitalised(scoreTitle(runs))),
            "summary", escape(summary(conditions)),
            "warning", conditions.warning().map(ComparisonPage::warning).orElse(""),
            "table", table(table, links),
            "meanings", meanings(table),
            "notes", notes.stream().map(note -> tag("p", note)).collect(Collectors.joining("\n")),
            "conditions", Html.pairs(conditions.common()),
            "runs", own(conditions));
    return Html.page("comparison", plots(runs), parts);
  }

  private static String summary(RunConditions conditions) {
    return List.of("--model", "--data", "--workers", "--links", "--batch", "--seed").stream()
        .flatMap(
            name -> conditions.common(name).map(value -> name.substring(2) + " " + value).stream())
        .collect(Collectors.joining(" · "));
  }

  private static String warning(String sentence) {
    return "<p class=\"warning\">" + escape(sentence) + "</p>";
  }

  private static String table(ComparisonTable table, Map<String, String> links) {
    StringBuilder html = new StringBuilder("<thead><tr>").append(heading("exchange"));
    table.columns().forEach(column -> html.append(heading(column.heading())));
    html.append("</tr></thead>\n<tbody>\n");
    for (Row row : table.rows()) {
      html.append("<tr><th scope=\"row\">").append(name(row.run(), links));
      row.run()
          .trouble()
          .ifPresent(what -> html.append("<small>").append(escape(what)).append("</small>"));
      html.append("</th>");
      for (Column column : table.columns()) {
        html.append(column.isBest(row, table.rows()) ? "<td class=\"best\">" : "<td>")
            .append(escape(column.cell(row)))
            .append("</td>");
      }
      html.append("</tr>\n");
    }
    return html.append("</tbody>").toString();
  }

  private static String heading(String text) {
    return "<th scope=\"col\">" + escape(text) + "</th>";
  }

  private static String name(ComparedRun run, Map<String, String> links) {
    String name = escape(Printable.shortened(run.name(), LONGEST_NAME));
    return links.containsKey(run.name())
        ? "<a href=\"" + escape(links.get(run.name())) + "\">" + name + "</a>"
        : name;
  }

  private static String meanings(ComparisonTable table) {
    StringBuilder html = new StringBuilder();
    table
        .columns()
        .forEach(
            column -> html.append(tag("dt", column.heading())).append(tag("dd", column.meaning())));
    return html.toString();
  }

  private static String own(RunConditions conditions) {
    StringBuilder html = new StringBuilder();
    conditions
        .own()
        .forEach(
            (run, own) ->
                html.append(tag("h3", run))
                    .append("<dl>")
                    .append(Html.pairs(own))
                    .append("</dl>\n"));
    return html.toString();
  }

  private static Plots plots(List<ComparedRun> runs) {
    List<Line> lines =
        runs.stream().filter(run -> run.figures().isPresent()).map(ComparisonPage::line).toList();
    return new Plots(
        scoreTitle(runs),
        !hasValues(runs),
        Figures.Target.accuracy(ComparisonTable.target(runs)),
        lines);
  }

  /** Returns whether models predict values. */
  private static boolean hasValues(List<ComparedRun> runs) {
    return runs.stream()
        .flatMap(run -> run.figures().stream())
        .anyMatch(figures -> figures.best() instanceof TestScore.Fit);
  }

  private static String capitalised(String title) {
    return title.substring(0, 1).toUpperCase(Locale.ROOT) + title.substring(1);
  }

  private static String scoreTitle(List<ComparedRun> runs) {
    return runs.stream()
        .flatMap(run -> run.figures().stream())
        .findFirst()
        .map(figures -> Columns.set(runs) + " " + figures.best().title())
        .orElse("test score");
  }

  private static Line line(ComparedRun run) {
    Figures figures = run.figures().orElseThrow();
    int workers = run.history().orElseThrow().head().workers();
    List<Evaluation> epochs = run.history().orElseThrow().evaluations();
    return new Line(
        run.name(),
        figures.scores().stream()
            .map(it -> new Score(it.epoch(), it.seconds(), it.score().figure()))
            .toList(),
        epochs.stream()
            .map(
                epoch ->
                    new Point(
                        epoch.epoch(),
                        epoch.seconds(),
                        epoch.testLoss(),
                        (double) epoch.bytes() / workers))
            .toList(),
        List.of(figures.computing(), figures.waiting(), figures.exchanging()));
  }
}
