package dev.braid.chaos.sim;

import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.fault.MessageFates;
import dev.braid.chaos.sim.condition.LinkModel;
import dev.braid.exchange.message.Message;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Carries messages between ranks: copies and counts them, and asks the links for their times. As in
 * a Flink job, faults act on the links of the receiver, after the network. Where there are lines, a
 * message passes its sender's line first and its receiver's line last.
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

  /** Number of messages that wait because of faults. */
  private long waiting;

  /** Time when waiting messages are checked next, in nanoseconds. */
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

  /** Sets the receiver of all messages that arrive at their rank. */
  void deliverTo(Consumer<Event> newReceiver) {
    receiver = newReceiver;
  }

  /** Returns the faults of links and ranks. */
  SimulatedFaults faults() {
    return faults;
  }

  /**
   * Sends a message, whose values are copied before this method returns unless they are steady.
   *
   * @param incarnation incarnation of the sender
   */
  void send(long incarnation, Message message) {
    traffic.count(message);
    watch.see(message);
    counts.count(message.body());
    Message sent = message.withPayload(loans.withinProcess(message.payload()));
    if (lines.isPresent()) {
      long nanos = lines.get().sentNanos(message.from(), traffic.bytes(message), events.nowNanos());
      events.message(nanos, Event.Kind.SENT, incarnation, sent);
    } else {
      events.message(linkNanos(sent), Event.Kind.ARRIVAL, incarnation, sent);
    }
  }

  /** Takes a message that has passed its sender's line. */
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
   * Takes a message that has arrived at the links of its receiver, which it passes, waits on, or is
   * lost on.
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

  /** Checks the messages that wait because of faults, since something may have changed for them. */
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

  /** Takes a message that has passed the links of its receiver. */
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

  /** Returns the number of messages in flight. */
  long inFlight() {
    return events.messagesInFlight() + waiting;
  }

  /**
   * Discards all messages in flight, since all ranks have crashed, and restarts their numbers at 1.
   */
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

  /** Receives the fates of messages on links with faults. */
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
                ? arrival.withMessage(message.withPayload(loans.withinProcess(message.payload())))
                : arrival);
      } else if (!again) {
        // The checksum shows the damage, and the message is lost.
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
