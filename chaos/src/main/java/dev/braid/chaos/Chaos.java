package dev.braid.chaos;

import dev.braid.chaos.stream.EventDesk;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.LogSink;
import dev.braid.loop.Envelope;
import dev.braid.loop.EnvelopeTypeInfo;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Chaos's part of the job:
 *
 * <pre>
 *   events ─▶ desk ── to all ──▶ links ─▶ applied log
 *              └─▶ dead letters    ▲
 *                               messages
 * </pre>
 */
public final class Chaos {

  private Chaos() {}

  /**
   * The links of a run that is to be disturbed.
   *
   * @param messages by the rank they are for
   * @param chunkLength values that a message carries at most
   * @param ranks how many there are
   */
  public static SingleOutputStreamOperator<Envelope> links(
      DataStream<Envelope> messages, ChaosConfig config, int chunkLength, int ranks) {
    List<String> known = config.source().known(ranks);
    SingleOutputStreamOperator<String> events =
        config
            .source()
            .read(messages.getExecutionEnvironment())
            .setParallelism(1)
            .process(new EventDesk(ranks, !known.isEmpty()))
            .returns(Types.STRING)
            .name("Chaos desk")
            .uid("chaos-desk")
            .setParallelism(1)
            .setBufferTimeout(0);
    SingleOutputStreamOperator<Envelope> links =
        messages
            .connect(events.broadcast())
            .transform(
                "Links",
                new EnvelopeTypeInfo(chunkLength, true),
                new FaultyLinksFactory(config.seed(), chunkLength, known))
            .uid("links");
    links
        .getSideOutput(FaultyLinks.HAPPENINGS)
        .sinkTo(new LogSink(config.appliedFile(), config.topic().map(KafkaTopic::applied)))
        .name("Chaos log")
        .uid("chaos-log")
        .setParallelism(1);
    events
        .getSideOutput(EventDesk.DEAD_LETTERS)
        .sinkTo(new LogSink(config.deadLetterFile(), config.topic().map(KafkaTopic::deadLetters)))
        .name("Chaos dead letters")
        .uid("chaos-dead-letters")
        .setParallelism(1);
    return links;
  }
}
