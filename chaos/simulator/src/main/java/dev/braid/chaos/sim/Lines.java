package dev.braid.chaos.sim;

import dev.braid.chaos.shape.LinkShape;
import dev.braid.chaos.shape.VirtualQueue;
import java.util.List;
import java.util.stream.Stream;

/**
 * Each rank's line to a network of a given shape, as a Flink job has them before and after links.
 */
final class Lines {

  private final LinkShape shape;
  private final List<VirtualQueue> egress;
  private final List<VirtualQueue> ingress;

  Lines(LinkShape shape, int ranks) {
    this.shape = shape;
    this.egress = Stream.generate(shape::line).limit(ranks).toList();
    this.ingress = Stream.generate(shape::line).limit(ranks).toList();
  }

  /** Returns when a message that is sent now has passed its sender's line, in nanoseconds. */
  long sentNanos(int from, long bytes, long nowNanos) {
    return egress.get(from).send(bytes, nowNanos);
  }

  /**
   * Returns when a message that leaves the links now has passed its receiver's line, in
   * nanoseconds.
   */
  long enteredNanos(int to, long bytes, long nowNanos) {
    return ingress.get(to).receive(bytes, nowNanos + shape.latencyNanos());
  }
}
