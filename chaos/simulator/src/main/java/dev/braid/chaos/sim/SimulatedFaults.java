package dev.braid.chaos.sim;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventWriter;
import dev.braid.chaos.fault.FaultPlan;
import dev.braid.chaos.fault.MessageFates;
import dev.braid.exchange.message.Message;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Effects of chaos events in virtual time: the {@link FaultPlan} of a Flink job, one for all links.
 */
final class SimulatedFaults {

  private final FaultPlan<Event> plan;

  /** Time of the next change of the plan, in nanoseconds. */
  private long nextNanos;

  private long lastRound = -1;

  /**
   * Creates the plan.
   *
   * @param fates takes the messages
   */
  SimulatedFaults(int ranks, long seed, List<ChaosEvent> events, MessageFates<Event> fates) {
    this.plan = new FaultPlan<>(ranks, seed, happening -> {}, fates);
    events.forEach(event -> plan.accept(event, 0));
    this.nextNanos = plan.nextChangeNanos();
  }

  /** Begins and ends the faults that are due until now, each at its own time. */
  void advance(long nowNanos) {
    while (nextNanos <= nowNanos) {
      plan.advance(nextNanos, lastRound);
      nextNanos = plan.nextChangeNanos();
    }
  }

  /** Carries a message that has arrived at the links of its receiver. */
  void carry(Event arrival, Message message, long bytes, long nowNanos) {
    plan.carry(arrival, message.from(), message.to(), bytes, nowNanos);
  }

  /** Hands over the messages that need not wait any longer. */
  void release(long nowNanos) {
    plan.release(nowNanos);
  }

  /**
   * Returns when something changes for waiting messages, in nanoseconds; {@link Long#MAX_VALUE} if
   * nothing does.
   */
  long wakeNanos() {
    long release = plan.nextReleaseNanos();
    return release == Long.MAX_VALUE ? release : Math.min(nextNanos, release);
  }

  /** Begins the faults of a round, since a message of the round has arrived at links. */
  void see(long round, long nowNanos) {
    if (round > lastRound) {
      lastRound = round;
      plan.advance(nowNanos, round);
      nextNanos = plan.nextChangeNanos();
    }
  }

  /** Returns whether nothing is in force and nothing waits, so that every message passes. */
  boolean isQuiet() {
    return plan.isQuiet();
  }

  /** Returns the factor by which a rank computes slower than it could. */
  double slowdown(int rank) {
    return plan.slowdown(rank);
  }

  /** Returns the faults in force as text, a line each. */
  @Override
  public String toString() {
    return plan.inForce().stream().map(EventWriter::write).collect(Collectors.joining("\n  "));
  }
}
