package dev.braid.worker.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

class LinkCountersTest {

  private static final String FROM_3 = "operator.braid.from=3.to=1.link";

  private final Map<String, Counter> registered = new TreeMap<>();

  @Test
  void onlyLinksThatAreUsedHaveCounters_whichStartAtZero() {
    LinkCounters counters =
        new LinkCounters(
            1, new Registry("operator"), BraidMetric.LINK_BYTES, BraidMetric.LINK_MESSAGES);
    assertThat(registered).isEmpty();

    counters.from(3)[0].inc(20);
    counters.from(3)[0].inc(22);

    assertThat(registered.keySet())
        .containsExactly(FROM_3 + "_bytes_total", FROM_3 + "_messages_total");
    assertThat(registered.get(FROM_3 + "_bytes_total").getCount()).isEqualTo(42);
    assertThat(registered.get(FROM_3 + "_messages_total").getCount()).isZero();

    counters.from(100)[1].inc();
    assertThat(registered).hasSize(4);
  }

  /** Keeps the counters by name. */
  private final class Registry extends UnregisteredMetricsGroup {
    private final String name;

    Registry(String name) {
      this.name = name;
    }

    @Override
    public MetricGroup addGroup(String group) {
      return new Registry(name + "." + group);
    }

    @Override
    public MetricGroup addGroup(String key, String value) {
      return new Registry(name + "." + key + "=" + value);
    }

    @Override
    public Counter counter(String counter) {
      return registered.computeIfAbsent(name + "." + counter, key -> new SimpleCounter());
    }
  }
}
