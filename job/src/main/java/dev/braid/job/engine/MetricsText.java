package dev.braid.job.engine;

import dev.braid.exchange.MetricName;
import dev.braid.worker.report.BraidMetric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.metrics.CharacterFilter;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.LogicalScopeProvider;
import org.apache.flink.metrics.Meter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricGroup;

/**
 * Flink's metrics in the text format of Prometheus, version 0.0.4. Names and labels are those of
 * Flink's own reporter, so the same dashboards and alerts work with both. Braid's metrics have
 * their own help text and type, which Flink's reporter does not support.
 */
final class MetricsText {

  private static final CharacterFilter ALLOWED = text -> text.replaceAll("[^a-zA-Z0-9:_]", "_");

  private static final char SEPARATOR = '_';

  private static final List<Double> QUANTILES = List.of(0.5, 0.75, 0.95, 0.98, 0.99, 0.999);

  /**
   * All metrics of one name.
   *
   * @param braid the metric of Braid; empty for Flink's metrics
   */
  private record Family(String help, Optional<MetricName> braid, Map<String, Metric> byLabels) {

    static Family of(String name, String scope) {
      Optional<MetricName> braid =
          scope.contains(SEPARATOR + BraidMetric.GROUP)
              ? BraidMetric.named(name)
              : Optional.empty();
      String help = braid.map(MetricName::help).orElse(name + " (scope: " + scope + ")");
      return new Family(help, braid, new LinkedHashMap<>());
    }

    Family copy() {
      return new Family(help, braid, new LinkedHashMap<>(byLabels));
    }

    String type() {
      Metric first = byLabels.values().iterator().next();
      return first instanceof Counter || braid.filter(MetricName::isCounter).isPresent()
          ? "counter"
          : first instanceof Histogram ? "summary" : "gauge";
    }
  }

  private final SortedMap<String, Family> families = new TreeMap<>();

  /** Adds a metric. */
  synchronized void add(Metric metric, String name, MetricGroup group) {
    String scope = LogicalScopeProvider.castFrom(group).getLogicalScope(ALLOWED, SEPARATOR);
    families
        .computeIfAbsent(fullName(name, scope), full -> Family.of(name, scope))
        .byLabels()
        .put(labels(group), metric);
  }

  /** Removes a metric. */
  synchronized void remove(String name, MetricGroup group) {
    String scope = LogicalScopeProvider.castFrom(group).getLogicalScope(ALLOWED, SEPARATOR);
    Optional.ofNullable(families.get(fullName(name, scope)))
        .ifPresent(family -> family.byLabels().remove(labels(group)));
  }

  private static String fullName(String name, String scope) {
    return "flink" + SEPARATOR + scope + SEPARATOR + ALLOWED.filterCharacters(name);
  }

  /** Returns the variables of a group, whose names are in angle brackets, as labels. */
  private static String labels(MetricGroup group) {
    return new TreeMap<>(group.getAllVariables())
        .entrySet().stream()
            .map(
                variable ->
                    ALLOWED.filterCharacters(variable.getKey().replaceAll("[<>]", ""))
                        + "=\""
                        + ALLOWED.filterCharacters(variable.getValue())
                        + '"')
            .collect(Collectors.joining(","));
  }

  /** Returns all metrics that are numbers, with their current values. */
  String text() {
    StringBuilder text = new StringBuilder();
    copy().forEach((name, family) -> append(text, name, family));
    return text.toString();
  }

  /** Copies the metrics, so that their values are read without blocking {@link #add}. */
  private synchronized SortedMap<String, Family> copy() {
    SortedMap<String, Family> copy = new TreeMap<>();
    families.forEach((name, family) -> copy.put(name, family.copy()));
    return copy;
  }

  private static void append(StringBuilder text, String name, Family family) {
    List<String> lines = new ArrayList<>();
    family.byLabels().forEach((labels, metric) -> lines.addAll(lines(name, labels, metric)));
    if (lines.isEmpty()) {
      return;
    }
    text.append("# HELP ").append(name).append(' ').append(family.help()).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(family.type()).append('\n');
    lines.forEach(line -> text.append(line).append('\n'));
  }

  private static List<String> lines(String name, String labels, Metric metric) {
    try {
      if (metric instanceof Histogram histogram) {
        return summary(name, labels, histogram);
      }
      return value(metric).map(value -> line(name, labels, value)).stream().toList();
    } catch (RuntimeException e) {
      // The metric belongs to a task that is about to end, and has no value.
      return List.of();
    }
  }

  private static Optional<Double> value(Metric metric) {
    if (metric instanceof Counter counter) {
      return Optional.of((double) counter.getCount());
    }
    if (metric instanceof Meter meter) {
      return Optional.of(meter.getRate());
    }
    Object value = metric instanceof Gauge<?> gauge ? gauge.getValue() : "none";
    if (value instanceof Number number) {
      return Optional.of(number.doubleValue());
    }
    return value instanceof Boolean is ? Optional.of(is ? 1.0 : 0.0) : Optional.empty();
  }

  private static List<String> summary(String name, String labels, Histogram histogram) {
    List<String> lines = new ArrayList<>();
    lines.add(line(name + "_count", labels, (double) histogram.getCount()));
    String before = labels.isEmpty() ? "" : labels + ",";
    for (double quantile : QUANTILES) {
      lines.add(
          line(
              name,
              before + "quantile=\"" + quantile + '"',
              histogram.getStatistics().getQuantile(quantile)));
    }
    return lines;
  }

  private static String line(String name, String labels, double value) {
    return name + '{' + labels + "} " + number(value);
  }

  private static String number(double value) {
    return Double.isInfinite(value) ? (value > 0 ? "+Inf" : "-Inf") : Double.toString(value);
  }
}
