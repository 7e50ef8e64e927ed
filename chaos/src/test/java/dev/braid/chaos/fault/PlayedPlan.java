package dev.braid.chaos.fault;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Happening;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A plan in virtual time, which is advanced whenever it is due. */
final class PlayedPlan {

  /**
   * A message that was sent.
   *
   * @param arrivals times when it has arrived so far
   */
  record Sent(int number, int from, int to, long bytes, long nanos, List<Long> arrivals) {}

  final List<Happening> log = new ArrayList<>();
  final FaultPlan<Sent> plan;

  /** Messages in the order in which they arrived; a message that arrived twice is in it twice. */
  final List<Sent> arrived = new ArrayList<>();

  final List<Sent> lost = new ArrayList<>();
  final Map<Effect, Integer> effects = new EnumMap<>(Effect.class);
  int corrupt;

  private long nowNanos;
  private int sent;

  PlayedPlan(int ranks, long seed) {
    plan = new FaultPlan<>(ranks, seed, log::add, new Noting());
  }

  long nowNanos() {
    return nowNanos;
  }

  void accept(ChaosEvent event, long nanos) {
    playTo(nanos);
    plan.accept(event, nanos);
    plan.release(nanos);
  }

  Sent send(int from, int to, long nanos, long bytes) {
    playTo(nanos);
    Sent message = new Sent(sent++, from, to, bytes, nanos, new ArrayList<>());
    plan.carry(message, from, to, bytes, nanos);
    return message;
  }

  /** Executes everything that is due until a time. */
  void playTo(long nanos) {
    for (long next = next(); next <= nanos; next = next()) {
      nowNanos = Math.max(nowNanos, next);
      plan.advance(nowNanos, -1);
      plan.release(nowNanos);
    }
    nowNanos = nanos;
  }

  long next() {
    return Math.min(plan.nextChangeNanos(), plan.nextReleaseNanos());
  }

  private final class Noting implements MessageFates<Sent> {

    @Override
    public void arrive(Sent message, boolean isCorrupt, boolean again) {
      message.arrivals.add(nowNanos);
      arrived.add(message);
      corrupt += isCorrupt ? 1 : 0;
    }

    @Override
    public void lost(Sent message) {
      lost.add(message);
    }

    @Override
    public void touched(Effect effect) {
      effects.merge(effect, 1, Integer::sum);
    }
  }
}
