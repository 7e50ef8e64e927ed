package dev.braid.chaos;

import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Letter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;

/**
 * Links that lead to one rank. Every message for the rank passes here on its way to the worker's
 * mailbox, and is counted by source rank. Where chaos events are expected, {@link FaultyLinks}
 * replaces this operator.
 */
public final class Links extends RichMapFunction<Envelope, Envelope> {

  /** Name of this operator in Flink's web UI and in the scope of its metrics. */
  public static final String NAME = "Exchange loop";

  private static final long serialVersionUID = 1L;

  private transient LinkCounters counters;

  @Override
  public void open(OpenContext context) {
    counters =
        new LinkCounters(
            getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(),
            getRuntimeContext().getMetricGroup(),
            false);
  }

  @Override
  public Envelope map(Envelope envelope) {
    if (envelope instanceof Letter letter) {
      counters.count(letter.message());
    }
    return envelope;
  }
}
