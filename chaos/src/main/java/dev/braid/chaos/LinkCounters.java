package dev.braid.chaos;

import dev.braid.exchange.message.Message;
import dev.braid.loop.EnvelopeSerializer;
import dev.braid.worker.report.BraidMetric;
import java.util.Arrays;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;

/**
 * Counts the traffic of the links that lead to one rank. A link has counters from its first message
 * on: the number of links grows with the square of the number of ranks, and most exchanges use few
 * of them.
 */
final class LinkCounters {

  /**
   * Counters of one link.
   *
   * @param lost counter of lost messages, which stays unregistered where none can be lost
   */
  private record Link(Counter bytes, Counter messages, Counter lost) {}

  private final MetricGroup group;
  private final String rank;
  private final boolean mayLose;

  /**
   * Counters by source rank, as an array since each message needs a lookup; null for unused links.
   */
  private Link[] byRank = {};

  /**
   * Creates an instance without counters.
   *
   * @param rank rank that the links lead to
   * @param operator the operator's metrics
   * @param mayLose whether messages may be lost
   */
  LinkCounters(int rank, MetricGroup operator, boolean mayLose) {
    this.rank = Integer.toString(rank);
    this.group = operator.addGroup(BraidMetric.GROUP);
    this.mayLose = mayLose;
  }

  /** Counts a message that has arrived, and returns its bytes. */
  long count(Message message) {
    long bytes = EnvelopeSerializer.bytes(message);
    Link link = from(message.from());
    link.messages().inc();
    link.bytes().inc(bytes);
    return bytes;
  }

  /** Counts a message as lost that {@link #count} has counted. */
  void countLost(Message message) {
    from(message.from()).lost().inc();
  }

  private Link from(int sender) {
    if (sender >= byRank.length) {
      byRank = Arrays.copyOf(byRank, sender + 1);
    }
    if (byRank[sender] == null) {
      byRank[sender] = open(sender);
    }
    return byRank[sender];
  }

  private Link open(int sender) {
    MetricGroup link =
        group.addGroup(BraidMetric.FROM, Integer.toString(sender)).addGroup(BraidMetric.TO, rank);
    return new Link(
        link.counter(BraidMetric.LINK_BYTES.key()),
        link.counter(BraidMetric.LINK_MESSAGES.key()),
        mayLose ? link.counter(BraidMetric.LINK_LOST.key()) : new SimpleCounter());
  }
}
