package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.MetricName;
import dev.braid.worker.report.BraidMetric;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class NamedMetricsTest {

  @Test
  void ofAnExpressionAllNamesOfMetricsAreFoundAndNothingElse() {
    assertThat(
            NamedMetrics.in(
                "topk(10, sum by (from, to) (rate(a_b{x=\"c_d\", y=\"e\"}[1m]))) / max(f:g) > bool 0.05"
                    + " unless on (h) i offset 5m"))
        .containsExactlyInAnyOrder("a_b", "f:g", "i");
  }

  @Test
  void allThreePlacesNameSome() {
    assertThat(NamedMetrics.ofDocuments())
        .contains(
            "flink_taskmanager_job_task_operator_braid_round",
            "flink_taskmanager_job_task_operator_braid_from_to_link_bytes_total",
            "flink_taskmanager_job_task_operator_braid_ingress_backlog_bytes");
    assertThat(NamedMetrics.ofDashboard()).contains("flink_jobmanager_job_numRestarts");
    assertThat(NamedMetrics.ofAlerts())
        .contains("flink_taskmanager_job_task_operator_braid_damaged_messages_total");
  }

  @Test
  void theTableHasEachMetricWithItsKind() {
    assertThat(NamedMetrics.counters(true))
        .containsExactlyInAnyOrderElementsOf(keys(MetricName::isCounter));
    assertThat(NamedMetrics.counters(false))
        .containsExactlyInAnyOrderElementsOf(keys(metric -> !metric.isCounter()));
  }

  private static List<String> keys(Predicate<MetricName> which) {
    return BraidMetric.all().filter(which).map(MetricName::key).toList();
  }

  /** Prometheus recommends base units, lower case, and a help text of one line. */
  @Test
  void namesFollowTheConventions() {
    assertThat(BraidMetric.all())
        .allSatisfy(
            metric -> {
              assertThat(metric.key())
                  .matches("[a-z][a-z0-9]*(_[a-z0-9]+)*")
                  .doesNotContainPattern("milli|nano|micro|_ms|kilo|mega|percent");
              assertThat(metric.help()).matches("[^\\\\\n]+\\.");
            });
  }

  @Test
  void whatHasNoValueIsMissing() {
    String text = "# HELP b\nb{x=\"1\"} 2\na_c{} 1\n";
    assertThat(NamedMetrics.missing(Set.of("a", "a_c", "b", "c"), text)).containsExactly("a", "c");
  }
}
