package dev.braid.chaos;

import dev.braid.exchange.Message;
import dev.braid.loop.Envelope;
import dev.braid.loop.Envelope.Letter;
import dev.braid.loop.EnvelopeSerializer;
import dev.braid.worker.MetricNames;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * The links that lead to one rank: every message for it passes here, on its way into the worker's
 * mailbox, and is counted by the rank that it comes from.
 */
public final class Links extends RichMapFunction<Envelope, Envelope> {

  private static final long serialVersionUID = 1L;

  private record LinkCounters(Counter bytes, Counter messages) {}

  private transient List<LinkCounters> byRank;

  @Override
  public void open(OpenContext context) {
    byRank = new ArrayList<>();
    int rank = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    int ranks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    MetricGroup group = getRuntimeContext().getMetricGroup().addGroup(MetricNames.GROUP);
    for (int from = 0; from < ranks; from++) {
      MetricGroup link =
          group
              .addGroup(MetricNames.FROM, Integer.toString(from))
              .addGroup(MetricNames.TO, Integer.toString(rank));
      byRank.add(
          new LinkCounters(
              link.counter(MetricNames.LINK_BYTES), link.counter(MetricNames.LINK_MESSAGES)));
    }
  }

  @Override
  public Envelope map(Envelope envelope) {
    if (envelope instanceof Letter letter) {
      Message message = letter.message();
      LinkCounters link = byRank.get(message.from());
      link.messages().inc();
      link.bytes()
          .inc(EnvelopeSerializer.HEADER_BYTES + (long) message.values().length() * Float.BYTES);
    }
    return envelope;
  }
}
