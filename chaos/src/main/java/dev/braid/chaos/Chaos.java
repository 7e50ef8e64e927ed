package dev.braid.chaos;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.stream.EventSource;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.LogSink;
import dev.braid.loop.EnvelopeSerializer;
import dev.braid.loop.Loop;
import dev.braid.loop.envelope.Envelope;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * The part of the job that injects faults:
 *
 * <pre>
 *   events ─▶ desk ── to all ──▶ links ─▶ applied log
 *              └─▶ dead letters ◀──┘ ▲
 *                                 messages
 * </pre>
 */
public final class Chaos {

  /** Name of the links in Flink's web UI and in the scope of their metrics. */
  private static final String LINKS = "Exchange loop";

  /** Prefix of the UIDs of all chaos operators, and of no others. */
  public static final String UID_PREFIX = "chaos-";

  private Chaos() {}

  /**
   * Returns the UID of a chaos operator. It names the source of events, since the state of other
   * events must not be restored.
   */
  private static String uid(String part, ChaosConfig config) {
    return UID_PREFIX + part + "/" + config.source().title();
  }

  /**
   * Adds the links of a run with fault injection.
   *
   * @param messages messages, partitioned by destination rank
   * @param ranks number of ranks
   * @param chunkLength maximum number of values in a message
   */
  public static DataStream<Envelope> links(
      DataStream<Envelope> messages, int ranks, ChaosConfig config, int chunkLength) {
    EventSource source = config.source();
    SingleOutputStreamOperator<ChaosEvent> events =
        source
            .read(messages.getExecutionEnvironment())
            .uid(uid("events", config))
            .setParallelism(1)
            .process(new EventDesk(!source.known().isEmpty()))
            .returns(EventSerializer.TYPE)
            .name("Check chaos events")
            .uid(uid("desk", config))
            .setParallelism(1)
            .setBufferTimeout(0);
    SingleOutputStreamOperator<Envelope> links =
        messages
            .connect(events.broadcast())
            .transform(
                LINKS,
                EnvelopeSerializer.type(chunkLength, true),
                new FaultyLinksFactory(config.seed(), chunkLength, source))
            .uid(uid("links", config))
            .setParallelism(ranks);
    Loop.coLocate(links);
    links
        .getSideOutput(FaultyLinks.HAPPENINGS)
        .sinkTo(new LogSink(config.appliedFile(), config.topic().map(KafkaTopic::applied)))
        .name("Chaos log")
        .uid(uid("log", config))
        .setParallelism(1);
    events
        .getSideOutput(EventDesk.DEAD_LETTERS)
        .union(links.getSideOutput(EventDesk.DEAD_LETTERS))
        .sinkTo(new LogSink(config.deadLetterFile(), config.topic().map(KafkaTopic::deadLetters)))
        .name("Chaos dead letters")
        .uid(uid("dead-letters", config))
        .setParallelism(1);
    return links;
  }
}
