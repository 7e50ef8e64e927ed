package dev.braid.worker.report;

import java.util.Arrays;
import java.util.List;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Counters of the links that lead to one rank. A link has counters from its first message on: the
 * number of links grows with the square of the number of ranks, and most exchanges use few of them.
 */
public final class LinkCounters {

  private final MetricGroup group;
  private final String rank;
  private final List<BraidMetric> metrics;

  /**
   * Counters by source rank, as an array since each message needs a lookup; null for unused links.
   */
  private Counter[][] byRank = {};

  /**
   * Creates an instance without counters.
   *
   * @param rank rank that the links lead to
   * @param operator the operator's metrics
   * @param metrics what is counted for each link
   */
  public LinkCounters(int rank, MetricGroup operator, BraidMetric... metrics) {
    this.rank = Integer.toString(rank);
    this.group = operator.addGroup(BraidMetric.GROUP);
    this.metrics = List.of(metrics);
  }

  /** Returns the counters of the link from a rank, in the order of the metrics. */
  public Counter[] from(int sender) {
    if (sender >= byRank.length) {
      byRank = Arrays.copyOf(byRank, sender + 1);
    }
    if (byRank[sender] == null) {
      MetricGroup link =
          group.addGroup(BraidMetric.FROM, Integer.toString(sender)).addGroup(BraidMetric.TO, rank);
      byRank[sender] =
          metrics.stream().map(metric -> link.counter(metric.key())).toArray(Counter[]::new);
    }
    return byRank[sender];
  }
}
