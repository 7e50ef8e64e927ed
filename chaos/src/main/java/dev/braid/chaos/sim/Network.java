package dev.braid.chaos.sim;

import dev.braid.chaos.shape.LinkShape;
import dev.braid.chaos.shape.VirtualQueue;
import dev.braid.exchange.Message;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Takes messages from ranks to ranks: copies, counts, and lets the links decide when. Where there
 * is a shape, a message passes its sender's line first, then the link, then its receiver's line.
 */
final class Network {

  private final LinkModel links;
  private final EventQueue events;
  private final Optional<Lines> lines;
  private final Traffic traffic = new Traffic();
  private final Loans loans = new Loans();

  /** Goes up with every checkpoint: what was sent before one is not delivered after it. */
  private long epoch;

  /** Each rank's line, both ways. */
  private record Lines(List<VirtualQueue> egress, List<VirtualQueue> ingress, long latencyNanos) {

    static Lines of(LinkShape shape, int ranks) {
      return new Lines(queues(shape, ranks), queues(shape, ranks), shape.latencyNanos());
    }

    private static List<VirtualQueue> queues(LinkShape shape, int ranks) {
      return Stream.generate(shape::line).limit(ranks).toList();
    }
  }

  Network(LinkModel links, Optional<LinkShape> shape, int ranks, EventQueue events) {
    this.links = links;
    this.lines = shape.map(given -> Lines.of(given, ranks));
    this.events = events;
  }

  /** The values are copied before this returns, for each arrival apart. */
  void send(Message message) {
    traffic.count(message);
    if (lines.isPresent()) {
      VirtualQueue egress = lines.get().egress.get(message.from());
      long sentNanos = egress.send(Traffic.bytes(message), events.nowNanos());
      events.moves(Event.Kind.SENT, sentNanos, epoch, copy(message));
    } else {
      links.carry(
          message,
          Traffic.bytes(message),
          events.nowNanos(),
          nanos -> events.moves(Event.Kind.ARRIVAL, nanos, epoch, copy(message)));
    }
  }

  /** A message has passed its sender's line. */
  void sent(Event event) {
    Message message = event.message().orElseThrow();
    long latencyNanos = lines.orElseThrow().latencyNanos;
    links.carry(
        message,
        Traffic.bytes(message),
        events.nowNanos(),
        nanos ->
            events.moves(Event.Kind.CARRIED, nanos + latencyNanos, event.tag(), copy(message)));
    message.values().release();
  }

  /** A message is at its receiver's line. */
  void carried(Event event) {
    Message message = event.message().orElseThrow();
    VirtualQueue ingress = lines.orElseThrow().ingress.get(message.to());
    long nanos = ingress.receive(Traffic.bytes(message), events.nowNanos());
    events.moves(Event.Kind.ARRIVAL, nanos, event.tag(), message);
  }

  private Message copy(Message message) {
    return message.withValues(loans.copy(message.values()));
  }

  boolean isOfThisEpoch(Event arrival) {
    return arrival.tag() == epoch;
  }

  void nextEpoch() {
    epoch++;
  }

  long epoch() {
    return epoch;
  }

  Traffic traffic() {
    return traffic;
  }

  long unreleased() {
    return loans.outstanding();
  }
}
