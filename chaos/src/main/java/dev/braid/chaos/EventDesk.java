package dev.braid.chaos;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.DeadLetter;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.chaos.stream.RawEvent;
import dev.braid.worker.report.BraidMetric;
import dev.braid.worker.report.TextAccumulator;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Looks at every record before the links get it: what is an event goes on, with an id; all else
 * goes to the dead letters. Whether an event is possible is for the links to say, who know how many
 * ranks there are. Whoever follows the run is told of what is none, but for that of a file, which
 * was looked at before the run began.
 */
final class EventDesk extends ProcessFunction<RawEvent, ChaosEvent> {

  private static final long serialVersionUID = 1L;

  /** {@link DeadLetter}s, a line each. */
  static final OutputTag<String> DEAD_LETTERS = new OutputTag<>("dead-letters", Types.STRING);

  private final boolean known;
  private transient Counter rejected;
  private transient RefusedRecords refused;
  private transient TextAccumulator report;

  /**
   * A desk of a run.
   *
   * @param known whether the links know the events already, so that only dead letters are left
   */
  EventDesk(boolean known) {
    this.known = known;
  }

  @Override
  public void open(OpenContext context) {
    rejected =
        getRuntimeContext()
            .getMetricGroup()
            .addGroup(BraidMetric.GROUP)
            .counter(BraidMetric.EVENTS_REJECTED.key());
    refused = new RefusedRecords(getRuntimeContext().getTaskInfo().getAttemptNumber());
    report = new TextAccumulator();
    getRuntimeContext().addAccumulator(FaultReport.ACCUMULATOR, report);
  }

  @Override
  public void processElement(RawEvent raw, Context context, Collector<ChaosEvent> out) {
    try {
      ChaosEvent event = raw.toEvent();
      if (!known) {
        out.collect(event);
      }
    } catch (InvalidEventException e) {
      rejected.inc();
      String letter = new DeadLetter(raw.origin(), e.getMessage(), raw.bytes()).toJson();
      context.output(DEAD_LETTERS, letter);
      if (!known && refused.add(raw.origin(), e.getMessage())) {
        report.add(refused.toJson());
      }
    }
  }
}
