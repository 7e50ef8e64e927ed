package dev.braid.chaos.stream;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.DeadLetter;
import dev.braid.chaos.event.EventReader;
import dev.braid.chaos.event.EventWriter;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.worker.MetricNames;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Looks at every record before the links get it: what is an event goes on in its canonical form,
 * with an id; all else goes to the dead letters. Whether an event is possible is for the links to
 * say, who know how many ranks there are.
 */
public final class EventDesk extends ProcessFunction<RawEvent, String> {

  private static final long serialVersionUID = 1L;

  /** {@link DeadLetter}s, a line each. */
  public static final OutputTag<String> DEAD_LETTERS =
      new OutputTag<>("dead-letters", Types.STRING);

  private static final int ID_LENGTH = 100;

  private final boolean known;
  private transient Counter rejected;

  /**
   * A desk of a run.
   *
   * @param known whether the links know the events already, so that only dead letters are left
   */
  public EventDesk(boolean known) {
    this.known = known;
  }

  @Override
  public void open(OpenContext context) {
    rejected =
        getRuntimeContext()
            .getMetricGroup()
            .addGroup(MetricNames.GROUP)
            .counter(MetricNames.EVENTS_REJECTED);
  }

  @Override
  public void processElement(RawEvent raw, Context context, Collector<String> out) {
    try {
      String event = check(raw);
      if (!known) {
        out.collect(event);
      }
    } catch (InvalidEventException e) {
      rejected.inc();
      String letter = new DeadLetter(raw.origin(), e.getMessage(), raw.bytes()).toJson();
      context.output(DEAD_LETTERS, letter);
    }
  }

  /** An event in its canonical form, with an id. */
  static String check(RawEvent raw) throws InvalidEventException {
    ChaosEvent event = EventReader.read(raw.bytes());
    return EventWriter.write(event.id().isPresent() ? event : event.withId(id(raw.origin())));
  }

  /** A topic's name may be longer than an id; the offset is at the end. */
  private static String id(String origin) {
    return origin.substring(Math.max(0, origin.length() - ID_LENGTH));
  }
}
