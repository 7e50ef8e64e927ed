package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.braid.run.result.Json;
import dev.braid.worker.report.BraidMetric;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics named by the documents, the dashboard and the alerts. */
final class NamedMetrics {

  private static final String OF_BRAID = "flink_taskmanager_job_task_operator_braid_";

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Path MANIFESTS = ROOT.resolve("k8s/base");

  private static final Path OF_CHAOS = ROOT.resolve("k8s/components/chaos");

  /**
   * Parts of a Prometheus expression that are not names of metrics, in the order of the patterns.
   */
  private static final Pattern NO_METRIC =
      Pattern.compile(
          "\"[^\"]*\"|\\{[^}]*\\}|\\[[^\\]]*\\]"
              + "|\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)"
              + "|\\b(?:and|or|unless|bool|offset)\\b|\\b\\d[\\w.]*"
              + "|\\b[a-z_]+(?=\\s*\\()|\\b[a-z]+(?=\\s+(?:by|without)\\b)");

  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");

  /** Row of the table of metrics; its first column has one or more names. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`braid\\.[^|]*) \\| (\\w+) \\|");

  /** Expression of an alert, on one line. */
  private static final Pattern EXPRESSION = Pattern.compile("(?m)^ +expr: ([^|>].*)$");

  private static final List<BraidMetric> OF_TOPICS =
      List.of(
          BraidMetric.UNDEALT_OFFSETS,
          BraidMetric.REFUSED_RECORDS,
          BraidMetric.LOST_DEAD_LETTERS,
          BraidMetric.LOST_OFFSETS);

  private static final List<BraidMetric> OF_SCORING =
      List.of(
          BraidMetric.SERVED_VERSION,
          BraidMetric.SERVED_VERSION_AGE,
          BraidMetric.VERSION_SWAPS,
          BraidMetric.REFUSED_VERSIONS,
          BraidMetric.SCORED_RECORDS,
          BraidMetric.SCORING_ERRORS);

  private NamedMetrics() {}

  /** Returns all metrics, by their names in Prometheus. */
  static Set<String> all() {
    Set<String> names = ofDocuments();
    names.addAll(ofDashboard());
    names.addAll(ofAlerts());
    return names;
  }

  /**
   * Returns the metrics of a run on a data set: without those of a topic's source, or of scoring.
   */
  static Set<String> ofDataSets() {
    Set<String> names = all();
    names.removeIf(name -> OF_TOPICS.stream().anyMatch(it -> name.endsWith(it.key())));
    names.removeIf(name -> OF_SCORING.stream().anyMatch(it -> name.endsWith(it.key())));
    return names;
  }

  /** Returns the metrics in the table of metrics. */
  static Set<String> ofDocuments() {
    Set<String> names = new TreeSet<>();
    rows((name, kind) -> names.add(OF_BRAID + name.replace("from.F.to.T.", "from_to_")));
    return names;
  }

  /**
   * Returns the names of the counters, or of the other metrics, in the table of metrics, without
   * their groups.
   */
  static Set<String> counters(boolean isCounter) {
    Set<String> names = new TreeSet<>();
    rows(
        (name, kind) -> {
          if (kind.equals("counter") == isCounter) {
            names.add(name.replace("from.F.to.T.", ""));
          }
        });
    return names;
  }

  private static void rows(BiConsumer<String, String> ofName) {
    Matcher row = ROW.matcher(text(ROOT.resolve("docs/reference/metrics.md")));
    while (row.find()) {
      Matcher name = Pattern.compile("`braid\\.([^`]*)`").matcher(row.group(1));
      while (name.find()) {
        ofName.accept(name.group(1), row.group(2));
      }
    }
  }

  /** Returns the metrics in the panels' queries. */
  static Set<String> ofDashboard() {
    JsonNode dashboard =
        Json.read(text(MANIFESTS.resolve("dashboards/braid.json")), JsonNode.class);
    Set<String> names = new TreeSet<>();
    for (JsonNode panel : dashboard.path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        names.addAll(in(target.path("expr").asText()));
      }
    }
    return names;
  }

  /** Returns the metrics in the alerts' expressions. */
  static Set<String> ofAlerts() {
    Set<String> names = ofAlerts(OF_CHAOS);
    names.addAll(ofAlertsOfEveryRun());
    return names;
  }

  /** Returns the metrics of the alerts that are also deployed without chaos events. */
  static Set<String> ofAlertsOfEveryRun() {
    return ofAlerts(MANIFESTS);
  }

  private static Set<String> ofAlerts(Path manifests) {
    String rules = text(manifests.resolve("alerts.yaml"));
    List<String> expressions = EXPRESSION.matcher(rules).results().map(it -> it.group(1)).toList();
    assertThat(expressions)
        .hasSize((int) Pattern.compile("- alert:").matcher(rules).results().count());
    Set<String> names = new TreeSet<>();
    expressions.forEach(expression -> names.addAll(in(expression)));
    return names;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the metrics in an expression. */
  static Set<String> in(String expression) {
    Set<String> names = new TreeSet<>();
    Matcher name = NAME.matcher(NO_METRIC.matcher(expression).replaceAll(" "));
    while (name.find()) {
      names.add(name.group());
    }
    return names;
  }

  /** Returns the metrics that have no value in a text. */
  static Set<String> missing(Set<String> names, String text) {
    Set<String> missing = new TreeSet<>(names);
    missing.removeIf(name -> text.startsWith(name + "{") || text.contains("\n" + name + "{"));
    return missing;
  }
}
