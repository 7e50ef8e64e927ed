package dev.braid.chaos;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.stream.EventSource;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.LogSink;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.EnvelopeSerializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Chaos's part of the job:
 *
 * <pre>
 *   events ─▶ desk ── to all ──▶ links ─▶ applied log
 *              └─▶ dead letters ◀──┘ ▲
 *                                 messages
 * </pre>
 */
public final class Chaos {

  /** What the uids of all of chaos's operators begin with; those of no others do. */
  public static final String UID_PREFIX = "chaos-";

  private Chaos() {}

  /**
   * The uid of a part of chaos: of the events that it is about, too, as the state of others is
   * nothing to go on from.
   */
  private static String uid(String part, ChaosConfig config) {
    return UID_PREFIX + part + "/" + config.source().title();
  }

  /**
   * The links of a run that is to be disturbed.
   *
   * @param messages by the rank they are for
   * @param chunkLength values that a message carries at most
   */
  public static SingleOutputStreamOperator<Envelope> links(
      DataStream<Envelope> messages, ChaosConfig config, int chunkLength) {
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
                Links.NAME,
                EnvelopeSerializer.type(chunkLength, true),
                new FaultyLinksFactory(config.seed(), chunkLength, source))
            .uid(uid("links", config));
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
