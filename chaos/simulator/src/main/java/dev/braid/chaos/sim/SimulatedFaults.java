package dev.braid.chaos.sim;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventWriter;
import dev.braid.chaos.fault.FaultPlan;
import dev.braid.chaos.fault.MessageFates;
import dev.braid.exchange.message.Message;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What chaos events do, in virtual time: the {@link FaultPlan} that decides in a Flink job, one for
 * all links.
 */
final class SimulatedFaults {

  private final FaultPlan<Event> plan;

  /** When the plan has to be asked again. */
  private long nextNanos;

  private long lastRound = -1;

  /**
   * @param fates is given the messages
   */
  SimulatedFaults(int ranks, long seed, List<ChaosEvent> events, MessageFates<Event> fates) {
    this.plan = new FaultPlan<>(ranks, seed, happening -> {}, fates);
    events.forEach(event -> plan.accept(event, 0));
    this.nextNanos = plan.nextChangeNanos();
  }

  /** Begins and ends what is due until now, each at its own time. */
  void advance(long nowNanos) {
    while (nextNanos <= nowNanos) {
      plan.advance(nextNanos, lastRound);
      nextNanos = plan.nextChangeNanos();
    }
  }

  /** Carries a message that has come to the links of its receiver. */
  void carry(Event arrival, Message message, long bytes, long nowNanos) {
    plan.carry(arrival, message.from(), message.to(), bytes, nowNanos);
  }

  /** Lets the messages arrive that need not wait any more. */
  void release(long nowNanos) {
    plan.release(nowNanos);
  }

  /** When something changes for messages that wait; {@link Long#MAX_VALUE} if none does. */
  long wakeNanos() {
    long release = plan.nextReleaseNanos();
    return release == Long.MAX_VALUE ? release : Math.min(nextNanos, release);
  }

  /** A message of this round has come to links: the faults of the round begin. */
  void see(long round, long nowNanos) {
    if (round > lastRound) {
      lastRound = round;
      plan.advance(nowNanos, round);
      nextNanos = plan.nextChangeNanos();
    }
  }

  /** Whether nothing is in force and nothing waits, so that every message passes. */
  boolean isQuiet() {
    return plan.isQuiet();
  }

  /** How many times slower than it could a rank computes. */
  double slowdown(int rank) {
    return plan.slowdown(rank);
  }

  /** What is in force, as JSON. */
  @Override
  public String toString() {
    return plan.inForce().stream().map(EventWriter::write).collect(Collectors.joining("\n  "));
  }
}
