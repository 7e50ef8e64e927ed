package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
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
            "flink_taskmanager_job_task_operator_braid_from_to_linkBytes",
            "flink_taskmanager_job_task_operator_braid_ingressBacklogBytes");
    assertThat(NamedMetrics.ofDashboard()).contains("flink_jobmanager_job_numRestarts");
    assertThat(NamedMetrics.ofAlerts())
        .contains("flink_taskmanager_job_task_operator_braid_damagedMessages");
  }

  @Test
  void whatHasNoValueIsMissing() {
    String text = "# HELP b\nb{x=\"1\"} 2\na_c{} 1\n";
    assertThat(NamedMetrics.missing(Set.of("a", "a_c", "b", "c"), text)).containsExactly("a", "c");
  }
}
