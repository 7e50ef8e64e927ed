package dev.braid.chaos.sim;

import dev.braid.exchange.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Takes messages from ranks to ranks: copies, counts, and lets the links decide when. As in a Flink
 * job, faults act on the links of the receiver, on what has come through the network; and where
 * there are lines, a message passes its sender's line first and its receiver's last.
 */
final class Network {

  private final LinkModel links;
  private final SimulatedFaults faults;
  private final Optional<Lines> lines;
  private final EventQueue events;
  private final Traffic traffic;
  private final Loans loans = new Loans();

  /** Goes up with every checkpoint: what was sent before one is not delivered after it. */
  private long epoch;

  /** How many messages a fault keeps on their way. */
  private long held;

  Network(
      LinkModel links,
      SimulatedFaults faults,
      Optional<Lines> lines,
      Traffic traffic,
      EventQueue events) {
    this.traffic = traffic;
    this.links = links;
    this.faults = faults;
    this.lines = lines;
    this.events = events;
  }

  /** The values are copied before this returns. */
  void send(Message message) {
    traffic.count(message);
    Message sent = message.withValues(loans.copy(message.values()));
    if (lines.isPresent()) {
      long nanos = lines.get().sentNanos(message.from(), traffic.bytes(message), events.nowNanos());
      events.message(nanos, Event.Kind.SENT, epoch, sent);
    } else {
      events.message(linkNanos(sent), Event.Kind.ARRIVAL, epoch, sent);
    }
  }

  /** A message has passed its sender's line. */
  void sent(Event event, Consumer<Event> receiver) {
    Message message = event.message().orElseThrow();
    long nanos = linkNanos(message);
    if (nanos == events.nowNanos()) {
      arrive(event, receiver);
    } else {
      events.message(nanos, Event.Kind.ARRIVAL, event.tag(), message);
    }
  }

  private long linkNanos(Message message) {
    long bytes = traffic.bytes(message);
    return links.arrivalNanos(message.from(), message.to(), bytes, events.nowNanos());
  }

  private void enter(Event arrival, Consumer<Event> receiver) {
    if (lines.isPresent()) {
      Message message = arrival.message().orElseThrow();
      long nanos =
          lines.get().enteredNanos(message.to(), traffic.bytes(message), events.nowNanos());
      events.message(nanos, Event.Kind.ENTRY, arrival.tag(), message);
    } else {
      receiver.accept(arrival);
    }
  }

  /** A message has come to the links of its receiver, and passes them, or comes to it later. */
  void arrive(Event arrival, Consumer<Event> receiver) {
    Message message = arrival.message().orElseThrow();
    long now = events.nowNanos();
    faults.see(message.round(), now);
    // While any is held, those that pass are, too: messages of one time keep their order.
    if (faults.isQuiet() && held == 0) {
      enter(arrival, receiver);
      return;
    }
    List<Long> times = new ArrayList<>();
    faults.carry(
        message,
        traffic.bytes(message),
        now,
        (nanos, corrupt) -> {
          // What is corrupt is lost: its checksum tells.
          if (!corrupt) {
            times.add(nanos);
          }
        });
    if (times.isEmpty()) {
      message.values().release();
    }
    for (int i = 0; i < times.size(); i++) {
      Message arriving = i == 0 ? message : message.withValues(loans.copy(message.values()));
      events.message(times.get(i), Event.Kind.DELIVERY, arrival.tag(), arriving);
      held++;
    }
  }

  /** A message that was held comes to its receiver. */
  void deliver(Event delivery, Consumer<Event> receiver) {
    held--;
    enter(delivery, receiver);
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
