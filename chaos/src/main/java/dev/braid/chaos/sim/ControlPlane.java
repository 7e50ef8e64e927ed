package dev.braid.chaos.sim;

import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.exchange.View;
import dev.braid.exchange.ViewMessage;
import dev.braid.exchange.ViewMessage.ToArbiter;
import dev.braid.exchange.ViewMessage.ToRank;
import dev.braid.exchange.membership.Arbiter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The arbiter of views, and what it and the ranks tell each other, as over Flink's operator events:
 * in order, late, and whatever becomes of links.
 */
final class ControlPlane {

  private static final long MIN_LATENCY_NANOS = 50_000;
  private static final long MAX_LATENCY_NANOS = 5_000_000;

  private final List<SimulatedRank> ranks;
  private final Stalls stalls;
  private final EventQueue events;
  private final FaultCounts counts;
  private final SplittableRandom random;
  private final Arbiter arbiter;
  private final Map<Long, ViewMessage> underWay = new HashMap<>();
  private final List<View> views = new ArrayList<>();
  private final long[] lastToRank;
  private final long[] lastFromRank;
  private long sent;

  ControlPlane(
      List<SimulatedRank> ranks,
      Stalls stalls,
      EventQueue events,
      FaultCounts counts,
      SplittableRandom random) {
    this.ranks = ranks;
    this.stalls = stalls;
    this.events = events;
    this.counts = counts;
    this.random = random;
    this.lastToRank = new long[ranks.size()];
    this.lastFromRank = new long[ranks.size()];
    this.arbiter = new Arbiter(View.all(ranks.size(), 0), () -> true, this::sendToAll);
    views.add(arbiter.view());
  }

  /** All views so far. */
  List<View> views() {
    return views;
  }

  boolean isIdle() {
    return underWay.isEmpty();
  }

  void tell(int rank, ToArbiter message) {
    send(rank, message, arrivalNanos(), lastFromRank);
  }

  private void sendToAll(ToRank message) {
    if (message instanceof ViewMessage.Enter enter) {
      View before = views.get(views.size() - 1);
      counts.count(Response.LEFT_OUT, withoutThoseOf(before, enter.view()));
      counts.count(Response.REJOINED, withoutThoseOf(enter.view(), before));
      views.add(enter.view());
    }
    for (int rank = 0; rank < ranks.size(); rank++) {
      send(rank, message, stalls.doneNanos(rank, arrivalNanos()), lastToRank);
    }
  }

  /** How many members of one view are not in another. */
  private static long withoutThoseOf(View one, View other) {
    return one.members().stream().filter(rank -> !other.contains(rank)).count();
  }

  private long arrivalNanos() {
    return events.nowNanos() + Seeds.between(random, MIN_LATENCY_NANOS, MAX_LATENCY_NANOS);
  }

  private void send(int rank, ViewMessage message, long nanos, long[] last) {
    last[rank] = Math.max(last[rank], nanos);
    underWay.put(sent, message);
    events.schedule(last[rank], Event.Kind.CONTROL, rank, sent++);
  }

  void deliver(int rank, long number) {
    ViewMessage message = underWay.remove(number);
    if (message instanceof ToRank toRank) {
      ranks.get(rank).control(toRank);
    } else if (message instanceof ToArbiter toArbiter) {
      arbiter.receive(rank, toArbiter);
    }
  }
}
