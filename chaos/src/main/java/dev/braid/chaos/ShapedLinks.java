package dev.braid.chaos;

import dev.braid.chaos.ShapingOperator.End;
import dev.braid.chaos.shape.LinkShape;
import dev.braid.loop.Loop;
import dev.braid.loop.envelope.Envelope;
import dev.braid.wire.SerializedType;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Links of a given bandwidth and latency, so that a slow network can be studied on one machine:
 *
 * <pre>
 *   worker ─▶ egress ─── by destination ──▶ links ─▶ ingress ─▶ feedback
 *   └── one task ──┘                        └─────── one task ───────┘
 * </pre>
 *
 * <p>The links that lead to a rank see all messages to that rank, but only a part of those from any
 * other rank. Therefore each direction has its own operator, which all of its traffic passes, so
 * that one clock is enough: egress in the sender's task, ingress after the links.
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

  /** Adds the ingress: delays the messages from the links as the receivers' lines do. */
  public static SingleOutputStreamOperator<Envelope> ingress(
      SingleOutputStreamOperator<Envelope> links,
      LinkShape shape,
      SerializedType<Envelope> type,
      int chunkLength) {
    // The ingress is chained to the links, which must share a slot with the worker.
    Loop.coLocate(links);
    return links
        .transform("Line in", type, new ShapingOperator.Factory(End.INGRESS, shape, chunkLength))
        .uid("ingress")
        .setParallelism(links.getParallelism());
  }
}
