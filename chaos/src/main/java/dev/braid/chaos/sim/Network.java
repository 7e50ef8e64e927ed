package dev.braid.chaos.sim;

import dev.braid.exchange.Message;

/** Takes messages from ranks to ranks: copies, counts, and lets the links decide when. */
final class Network {

  private final LinkModel links;
  private final EventQueue events;
  private final Traffic traffic = new Traffic();
  private final Loans loans = new Loans();

  /** Goes up with every checkpoint: what was sent before one is not delivered after it. */
  private long epoch;

  Network(LinkModel links, EventQueue events) {
    this.links = links;
    this.events = events;
  }

  /** The values are copied before this returns, for each arrival apart. */
  void send(Message message) {
    traffic.count(message);
    links.carry(
        message,
        Traffic.bytes(message),
        events.nowNanos(),
        nanos -> events.arrival(nanos, epoch, message.withValues(loans.copy(message.values()))));
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
