package dev.braid.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.DecodingUse;
import dev.braid.worker.report.BraidMetric;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

class WorkerMetricsTest {

  private final Map<String, Gauge<?>> gauges = new HashMap<>();
  private final WorkerMetrics metrics = new WorkerMetrics(new Group(), 3);

  private final class Group extends UnregisteredMetricsGroup {

    @Override
    public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
      gauges.put(name, gauge);
      return gauge;
    }

    @Override
    public MetricGroup addGroup(String name) {
      return this;
    }
  }

  @Test
  void whatIsToldOfSumsIsOfTheLastRound_andOfSetsAndLateAnswersOfAll() {
    metrics.decodes(new DecodingUse(2, 3, 1, 1, 4_000_000, 7_000_000, 0));
    metrics.decodes(new DecodingUse(3, 5, 2, 2, 6_000_000, 107_000_000, 0));
    assertThat(value(BraidMetric.STRAGGLERS)).isEqualTo(1L);
    assertThat(value(BraidMetric.LATE_MESSAGES)).isEqualTo(5L);
    assertThat(value(BraidMetric.DECODED_SETS)).isEqualTo(2);
    assertThat(value(BraidMetric.SUM_TIME)).isEqualTo(0.002);
    assertThat(value(BraidMetric.ANSWER_WAIT)).isEqualTo(0.1);
  }

  /** Applies to a master that is a rank of its own: no value becomes 0 between two rounds. */
  @Test
  void whoHasNoRoundsTellsWhatIsNew() {
    DecodingUse first = new DecodingUse(2, 3, 1, 1, 4_000_000, 7_000_000, 0);
    metrics.decodesMore(first);
    metrics.decodesMore(first);
    assertThat(value(BraidMetric.STRAGGLERS)).isEqualTo(2L);
    assertThat(value(BraidMetric.ANSWER_WAIT)).isEqualTo(0.007);
    metrics.decodesMore(new DecodingUse(2, 3, 1, 2, 5_000_000, 7_000_000, 0));
    assertThat(value(BraidMetric.STRAGGLERS)).isEqualTo(0L);
    assertThat(value(BraidMetric.SUM_TIME)).isEqualTo(0.001);
  }

  private Object value(BraidMetric metric) {
    return gauges.get(metric.key()).getValue();
  }
}
