package dev.braid.job.page;

import static dev.braid.job.page.Html.escape;
import static dev.braid.job.page.Html.tag;

import dev.braid.exchange.Figure;
import dev.braid.run.result.ByteCount;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.OutcomeText;
import dev.braid.run.result.WorkerMeans;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Page of a run: accuracy or R², loss and speed over time with the faults that took effect, the use
 * of a worker's time, and finally the results. While the run is in progress, a browser reloads the
 * page every few seconds, unless the reader pauses that.
 */
public final class RunPage {

  private static final int REFRESH_SECONDS = 2;

  /** Reload for browsers without scripts, where it cannot be paused. */
  private static final String REFRESH =
      "<noscript><meta http-equiv=\"refresh\" content=\"" + REFRESH_SECONDS + "\"></noscript>";

  private static final String UPDATES =
      "<p class=\"updates\" hidden><button type=\"button\">Pause updates</button> Updates reload the page"
          + " every "
          + REFRESH_SECONDS
          + " seconds, except while something on it has the focus or is selected.</p>";

  /**
   * Data of the plots in the page's script.
   *
   * @param score name of the score of epochs
   * @param isShare whether scores are shares, shown as percentages
   * @param target accuracy at which training stops, if any
   * @param written time of writing, in milliseconds since 1970
   * @param refreshSeconds time between two reloads of the page; empty once the run has ended
   */
  private record Plots(
      String score,
      boolean isShare,
      OptionalDouble target,
      List<Epoch> epochs,
      List<RunRecord.Speed> speeds,
      List<RunRecord.Fault> faults,
      long written,
      OptionalInt refreshSeconds) {}

  /**
   * Data of an epoch.
   *
   * @param shares shares of the time for computing, waiting and exchanging
   * @param drifts whether the training loss is notably above that of earlier windows
   */
  private record Epoch(
      int epoch,
      double seconds,
      double score,
      double trainLoss,
      double testLoss,
      List<Double> shares,
      boolean drifts) {}

  private final String title;
  private final List<String> about;
  private final Map<String, String> options;
  private final boolean hasValues;
  private final EvaluatedSet set;
  private final String score;
  private final OptionalDouble target;
  private final String besideIt;

  /**
   * Creates the page of a run.
   *
   * @param about lines that name the model and the data
   * @param options as they were given
   * @param hasValues whether the model predicts values instead of classes
   * @param set samples that the model is evaluated on
   * @param target test accuracy at which training stops, if any
   * @param besideIt place of the model if it is in the folder of the page
   */
  public RunPage(
      String title,
      List<String> about,
      Map<String, String> options,
      boolean hasValues,
      EvaluatedSet set,
      OptionalDouble target,
      String besideIt) {
    this.besideIt = besideIt;
    this.title = title;
    this.about = about;
    this.options = options;
    this.hasValues = hasValues;
    this.set = set;
    this.score = set.word() + (hasValues ? " R²" : " accuracy");
    this.target = target;
  }

  /** Returns the page of a run in progress. */
  public String underWay(RunRecord run, String state) {
    return page(run, state, OptionalInt.of(REFRESH_SECONDS));
  }

  /**
   * Returns the page of a run that has ended.
   *
   * @param how the result, in words
   */
  public String ended(RunRecord run, String how) {
    return page(run, how, OptionalInt.empty());
  }

  private String page(RunRecord run, String state, OptionalInt refreshSeconds) {
    Map<String, String> parts =
        Map.ofEntries(
            Map.entry("refresh", refreshSeconds.isPresent() ? REFRESH : ""),
            Map.entry("updates", refreshSeconds.isPresent() ? UPDATES : ""),
            Map.entry("title", escape(title)),
            Map.entry(
                "about",
                about.stream().map(line -> tag("p", line)).collect(Collectors.joining("\n"))),
            Map.entry("state", escape(state)),
            Map.entry("kind", hasFailed(run, refreshSeconds) ? " failed" : ""),
            Map.entry("outcome", run.outcome().map(this::outcome).orElse("")),
            Map.entry("faults", faults(run)),
            Map.entry("score", escape(score)),
            Map.entry("set", set.word()),
            Map.entry("unit", set.unit()),
            Map.entry("Unit", capital(set.unit())),
            Map.entry("Score", escape(capital(score))),
            Map.entry("epochs", epochs(run.recentEvaluations())),
            Map.entry("options", Html.pairs(options)));
    List<Epoch> epochs = run.evaluations().stream().map(RunPage::epoch).toList();
    Plots plots =
        new Plots(
            score,
            !hasValues,
            target,
            epochs,
            run.speeds(),
            run.faults(),
            System.currentTimeMillis(),
            refreshSeconds);
    return Html.page("run", plots, parts);
  }

  private static boolean hasFailed(RunRecord run, OptionalInt refreshSeconds) {
    return refreshSeconds.isEmpty() && run.outcome().isEmpty();
  }

  private static String capital(String words) {
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  private static Epoch epoch(Evaluation line) {
    WorkerMeans worker = line.worker();
    double computing = worker.get(Figure.COMPUTE_TIME);
    double waiting = worker.get(Figure.WAIT_TIME);
    double exchanging = worker.get(Figure.EXCHANGE_TIME);
    double all = computing + waiting + exchanging;
    double whole = all > 0 ? all : 1;
    return new Epoch(
        line.epoch(),
        line.seconds(),
        line.score().figure(),
        line.trainLoss(),
        line.testLoss(),
        List.of(computing / whole, waiting / whole, exchanging / whole),
        line.drifts());
  }

  /**
   * Returns the place of the model. It is relative if the model is in the page's folder, because
   * both may be moved together.
   */
  private String model(String place) {
    return place.equals(besideIt)
        ? place.substring(place.lastIndexOf('/') + 1) + ", in the folder of this page"
        : place;
  }

  private String outcome(Outcome outcome) {
    Map<String, String> pairs = new LinkedHashMap<>();
    OutcomeText.score(outcome, set).forEach(line -> pairs.put(line.name(), line.value()));
    outcome.best().ifPresent(best -> pairs.put("best", OutcomeText.bestInWords(best, outcome)));
    pairs.put("digest", outcome.digest());
    pairs.put("ledger", outcome.ledger());
    pairs.put("model", model(outcome.model()));
    return "<h2>Results</h2>\n<dl>" + Html.pairs(pairs) + "</dl>";
  }

  private static String faults(RunRecord run) {
    if (run.faults().isEmpty()) {
      return "";
    }
    String items =
        run.faults().stream()
            .map(
                fault ->
                    tag("dt", String.format(Locale.ROOT, "%.1f s", fault.seconds()))
                        + tag("dd", fault.what()))
            .collect(Collectors.joining("\n"));
    String more =
        run.moreFaults() == 0 ? "" : tag("p", run.moreFaults() + " more faults are not shown.");
    return "<h2>Faults</h2>\n<p>Dashed vertical lines mark the faults in the plots over time.</p>\n<dl>"
        + items
        + "</dl>"
        + more;
  }

  private static String epochs(List<Evaluation> evaluations) {
    StringBuilder rows = new StringBuilder();
    if (evaluations.isEmpty()) {
      rows.append("<tr><th scope=\"row\">–</th><td colspan=\"5\">No evaluation yet.</td></tr>\n");
    } else if (evaluations.get(0).epoch() > 1) {
      rows.append("<tr><th scope=\"row\">…</th><td colspan=\"5\">")
          .append("Earlier ones are in history.jsonl.</td></tr>\n");
    }
    for (Evaluation line : evaluations) {
      rows.append("<tr>")
          .append("<th scope=\"row\">" + line.epoch() + "</th>")
          .append(tag("td", line.lossInWords()))
          .append(tag("td", String.format(Locale.ROOT, "%.4f", line.testLoss())))
          .append(tag("td", line.scoreInWords()))
          .append(tag("td", String.format(Locale.ROOT, "%.1f s", line.seconds())))
          .append(tag("td", ByteCount.inWords(line.bytes())))
          .append("</tr>\n");
    }
    return rows.toString();
  }
}
