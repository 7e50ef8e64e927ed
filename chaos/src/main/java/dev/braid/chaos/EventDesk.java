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
 * Checks every record before the links get it: events are passed on with an id, and all other
 * records go to the dead letters. Whether an event is possible is checked by the links, which know
 * the number of ranks. Invalid records are reported to clients of the run, except those of a file,
 * which was checked before the run began.
 */
final class EventDesk extends ProcessFunction<RawEvent, ChaosEvent> {

  private static final long serialVersionUID = 1L;

  /** {@link DeadLetter}s, one JSON line each. */
  static final OutputTag<String> DEAD_LETTERS = new OutputTag<>("dead-letters", Types.STRING);

  private final boolean known;
  private transient Counter rejected;
  private transient RefusedRecords refused;
  private transient TextAccumulator report;

  /**
   * Creates the desk of a run.
   *
   * @param known whether the links know the events already, so that only dead letters are emitted
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
