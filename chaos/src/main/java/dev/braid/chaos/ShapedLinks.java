package dev.braid.chaos;

import dev.braid.chaos.ShapingOperator.End;
import dev.braid.chaos.shape.LinkShape;
import dev.braid.loop.Loop;
import dev.braid.loop.envelope.Envelope;
import dev.braid.wire.SerializedType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Links of a given bandwidth and latency, so that a slow network can be studied on one machine:
 *
 * <pre>
 *   worker ─▶ egress ─── by destination ──▶ ingress ─▶ feedback
 *   └── one task ──┘                        └──── one task ────┘
 * </pre>
 *
 * <p>Each direction has its own operator, which all of its traffic passes, so that one clock is
 * enough: egress in the sender's task, ingress in the receiver's, after the links with faults if
 * there are any.
 *
 * <p>Nothing blocks: a worker hands over all messages at once, and the traffic in flight is bounded
 * by the number of unacknowledged messages that its exchange allows. Messages that the links lose
 * have passed the egress, but do not pass the ingress.
 */
public final class ShapedLinks {

  private ShapedLinks() {}

  /**
   * Adds the egress: delays the workers' messages as the senders' lines do.
   *
   * @param chunkLength maximum number of values in a message
   */
  public static SingleOutputStreamOperator<Envelope> egress(
      SingleOutputStreamOperator<Envelope> workers,
      LinkShape shape,
      SerializedType<Envelope> type,
      int chunkLength) {
    return workers
        .transform("Line out", type, new ShapingOperator.Factory(End.EGRESS, shape, chunkLength))
        .uid("egress")
        .setParallelism(workers.getParallelism());
  }

  /** Adds the ingress: delays the messages to each rank as the receivers' lines do. */
  public static DataStream<Envelope> ingress(
      DataStream<Envelope> messages,
      int ranks,
      LinkShape shape,
      SerializedType<Envelope> type,
      int chunkLength) {
    SingleOutputStreamOperator<Envelope> lines =
        messages
            .transform(
                "Line in", type, new ShapingOperator.Factory(End.INGRESS, shape, chunkLength))
            .uid("ingress")
            .setParallelism(ranks);
    Loop.coLocate(lines);
    return lines;
  }
}
