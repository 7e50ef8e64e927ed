package dev.braid.chaos.sim;

import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.fault.MessageFates;
import dev.braid.chaos.sim.condition.LinkModel;
import dev.braid.exchange.message.Message;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Takes messages from ranks to ranks: copies, counts, and lets the links decide when. As in a Flink
 * job, faults act on the links of the receiver, on what has come through the network; and where
 * there are lines, a message passes its sender's line first and its receiver's last.
 */
final class SimulatedNetwork {

  private final LinkModel links;
  private final SimulatedFaults faults;
  private final Optional<Lines> lines;
  private final EventQueue events;
  private final Traffic traffic;
  private final FaultCounts counts;
  private final WireWatch watch;
  private final Loans loans = new Loans();

  private Consumer<Event> receiver = arrival -> {};

  /** How many messages wait because of faults. */
  private long waiting;

  /** When the links are looked at next. */
  private long wakeNanos = Long.MAX_VALUE;

  SimulatedNetwork(Simulation simulation, FaultCounts counts, EventQueue events) {
    this.links = simulation.links().apply(simulation.seed());
    this.faults =
        new SimulatedFaults(
            simulation.ranks(), simulation.seed(), simulation.faults(), new Passing());
    this.lines = simulation.shape().map(shape -> new Lines(shape, simulation.ranks()));
    this.traffic = new Traffic(simulation.ranks(), simulation.bytesPerElement());
    this.counts = counts;
    this.watch = new WireWatch(counts);
    this.events = events;
  }

  /** Gives all messages that come to their rank to this receiver. */
  void deliverTo(Consumer<Event> newReceiver) {
    receiver = newReceiver;
  }

  /** What breaks links and slows ranks down. */
  SimulatedFaults faults() {
    return faults;
  }

  /**
   * The values are copied before this returns.
   *
   * @param incarnation of the sender
   */
  void send(long incarnation, Message message) {
    traffic.count(message);
    watch.see(message);
    Message sent = message.withPayload(loans.copy(message.payload()));
    if (lines.isPresent()) {
      long nanos = lines.get().sentNanos(message.from(), traffic.bytes(message), events.nowNanos());
      events.message(nanos, Event.Kind.SENT, incarnation, sent);
    } else {
      events.message(linkNanos(sent), Event.Kind.ARRIVAL, incarnation, sent);
    }
  }

  /** A message has passed its sender's line. */
  void sent(Event event) {
    Message message = event.message().orElseThrow();
    long nanos = linkNanos(message);
    if (nanos == events.nowNanos()) {
      arrive(event);
    } else {
      events.message(nanos, Event.Kind.ARRIVAL, event.tag(), message);
    }
  }

  private long linkNanos(Message message) {
    long bytes = traffic.bytes(message);
    return links.arrivalNanos(message.from(), message.to(), bytes, events.nowNanos());
  }

  /**
   * A message has come to the links of its receiver, and passes them, or waits or is lost there.
   */
  void arrive(Event arrival) {
    Message message = arrival.message().orElseThrow();
    long now = events.nowNanos();
    faults.see(message.round(), now);
    if (faults.isQuiet()) {
      enter(arrival);
      return;
    }
    waiting++;
    faults.carry(arrival, message, traffic.bytes(message), now);
    setWake();
  }

  /** Something may have changed for messages that wait because of faults. */
  void wake() {
    wakeNanos = Long.MAX_VALUE;
    faults.release(events.nowNanos());
    setWake();
  }

  private void setWake() {
    long next = faults.wakeNanos();
    if (next < wakeNanos) {
      wakeNanos = next;
      events.schedule(next, Event.Kind.WAKE, 0, 0);
    }
  }

  /** A message has passed the links of its receiver. */
  private void enter(Event arrival) {
    if (lines.isPresent()) {
      Message message = arrival.message().orElseThrow();
      long nanos =
          lines.get().enteredNanos(message.to(), traffic.bytes(message), events.nowNanos());
      events.message(nanos, Event.Kind.ENTRY, arrival.tag(), message);
    } else {
      receiver.accept(arrival);
    }
  }

  /** How many messages are in flight. */
  long inFlight() {
    return events.messagesInFlight() + waiting;
  }

  /** All ranks have crashed: what is on its way is lost, and messages are numbered from 1 again. */
  void crash() {
    waiting = 0;
    loans.crash();
    watch.crash();
    wakeNanos = Long.MAX_VALUE;
    setWake();
  }

  Traffic traffic() {
    return traffic;
  }

  long unreleased() {
    return loans.outstanding();
  }

  /** What becomes of messages on links with faults. */
  private final class Passing implements MessageFates<Event> {

    @Override
    public void arrive(Event arrival, boolean corrupt, boolean again) {
      if (!events.isCurrent(arrival)) {
        return;
      }
      Message message = arrival.message().orElseThrow();
      waiting -= again ? 0 : 1;
      if (!corrupt) {
        enter(
            again
                ? arrival.withMessage(message.withPayload(loans.copy(message.payload())))
                : arrival);
      } else if (!again) {
        // Its checksum tells, and it is lost.
        message.release();
      }
    }

    @Override
    public void lost(Event arrival) {
      if (!events.isCurrent(arrival)) {
        return;
      }
      waiting--;
      arrival.message().orElseThrow().release();
    }

    @Override
    public void touched(Effect effect) {
      counts.count(effect);
    }
  }
}
