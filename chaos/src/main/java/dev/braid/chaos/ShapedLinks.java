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
 * <p>The links that lead to a rank see all that it is sent, but only a part of what any other
 * sends. So each way has its operator, where all of its traffic passes and one clock is enough: the
 * way out in the sender's task, the way in behind the links.
 *
 * <p>Nothing blocks: a worker hands over what it sends at once, and what is under way is bounded by
 * what its exchange lets be unacknowledged. What the links lose has passed the way out, and does
 * not pass the way in.
 */
public final class ShapedLinks {

  private ShapedLinks() {}

  /**
   * What the workers send, as their lines let it out.
   *
   * @param chunkLength values that a message carries at most
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

  /** What the links have let through, as the receivers' lines let it in. */
  public static SingleOutputStreamOperator<Envelope> ingress(
      SingleOutputStreamOperator<Envelope> links,
      LinkShape shape,
      SerializedType<Envelope> type,
      int chunkLength) {
    // The way in is chained to the links, which are to stay with the worker, too.
    Loop.coLocate(links);
    return links
        .transform("Line in", type, new ShapingOperator.Factory(End.INGRESS, shape, chunkLength))
        .uid("ingress")
        .setParallelism(links.getParallelism());
  }
}
