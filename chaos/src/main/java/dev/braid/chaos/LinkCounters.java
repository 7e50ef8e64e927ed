package dev.braid.chaos;

import dev.braid.exchange.message.Message;
import dev.braid.loop.envelope.EnvelopeSerializer;
import dev.braid.worker.report.MetricNames;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** Counts what goes over the links that lead to one rank. */
final class LinkCounters {

  private record Link(Counter bytes, Counter messages, Counter lost) {}

  private final List<Link> byRank = new ArrayList<>();

  LinkCounters(TaskInfo task, MetricGroup operator) {
    int rank = task.getIndexOfThisSubtask();
    MetricGroup group = operator.addGroup(MetricNames.GROUP);
    for (int from = 0; from < task.getNumberOfParallelSubtasks(); from++) {
      MetricGroup link =
          group
              .addGroup(MetricNames.FROM, Integer.toString(from))
              .addGroup(MetricNames.TO, Integer.toString(rank));
      byRank.add(
          new Link(
              link.counter(MetricNames.LINK_BYTES),
              link.counter(MetricNames.LINK_MESSAGES),
              link.counter(MetricNames.LINK_LOST)));
    }
  }

  /** A message has come this way; returns its bytes. */
  long count(Message message) {
    long bytes = EnvelopeSerializer.bytes(message);
    Link link = byRank.get(message.from());
    link.messages().inc();
    link.bytes().inc(bytes);
    return bytes;
  }

  /** A message that has been counted is lost. */
  void countLost(Message message) {
    byRank.get(message.from()).lost().inc();
  }
}
