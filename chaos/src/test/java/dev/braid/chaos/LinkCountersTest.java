package dev.braid.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.message.LinkControl;
import dev.braid.exchange.message.Message;
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
  void onlyLinksThatAreUsedHaveCounters() {
    LinkCounters counters = new LinkCounters(1, new Registry("operator"), false);
    assertThat(registered).isEmpty();

    long bytes = counters.count(from(3));
    counters.count(from(3));

    assertThat(registered.keySet())
        .containsExactly(FROM_3 + "_bytes_total", FROM_3 + "_messages_total");
    assertThat(registered.get(FROM_3 + "_bytes_total").getCount())
        .isEqualTo(2 * bytes)
        .isPositive();
    assertThat(registered.get(FROM_3 + "_messages_total").getCount()).isEqualTo(2);

    counters.count(from(100));
    assertThat(registered).hasSize(4);
  }

  /** The counter starts at 0; otherwise a rate would miss the first loss. */
  @Test
  void lossesAreCountedWhereThereMayBeSome() {
    LinkCounters counters = new LinkCounters(1, new Registry("operator"), true);
    counters.count(from(3));
    assertThat(registered.get(FROM_3 + "_lost_messages_total").getCount()).isZero();

    counters.countLost(from(3));
    assertThat(registered.get(FROM_3 + "_lost_messages_total").getCount()).isOne();
  }

  private static Message from(int rank) {
    return new Message(rank, 1, 0, new LinkControl.Probe());
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
