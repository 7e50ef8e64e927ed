package dev.braid.chaos.sim;

import dev.braid.chaos.shape.LinkShape;
import dev.braid.chaos.shape.VirtualQueue;
import java.util.List;
import java.util.stream.Stream;

/**
 * Each rank's line to a network of a given shape, as a Flink job has them at both ends of links.
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

  /** When a message that is sent now has passed its sender's line. */
  long sentNanos(int from, long bytes, long nowNanos) {
    return egress.get(from).send(bytes, nowNanos);
  }

  /** When a message that the links let through now has passed its receiver's line. */
  long enteredNanos(int to, long bytes, long nowNanos) {
    return ingress.get(to).receive(bytes, nowNanos + shape.latencyNanos());
  }
}
