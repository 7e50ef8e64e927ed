package dev.braid.chaos;

import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Letter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;

/**
 * The links that lead to one rank: every message for it passes here, on its way into the worker's
 * mailbox, and is counted by the rank that it comes from. Where chaos events are expected, {@link
 * FaultyLinks} take this place.
 */
public final class Links extends RichMapFunction<Envelope, Envelope> {

  /** What this operator is called in Flink's web UI, and in the scope of its metrics. */
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
