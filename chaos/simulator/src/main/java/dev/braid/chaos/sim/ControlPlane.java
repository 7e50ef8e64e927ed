package dev.braid.chaos.sim;

import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.Stalls;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage.Enter;
import dev.braid.loop.BareCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.coordinator.LoopEvent.ToRank;
import dev.braid.loop.coordinator.StoppingRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * The loop's coordinator, and what it and the ranks tell each other over Flink's operator events:
 * in order, late, and whatever becomes of links.
 */
final class ControlPlane {

  private static final long MIN_LATENCY_NANOS = 50_000;
  private static final long MAX_LATENCY_NANOS = 5_000_000;

  /** One of so many probes waits longer than a round takes. */
  private static final int SLOW_PROBES = 1_000;

  private static final long MAX_SLOW_PROBE_NANOS = 1_000_000_000;

  /** Between that of a model that reaches the target, and of one that does not. */
  private static final double GOOD_ACCURACY = 0.9;

  private final int ranks;
  private final IntFunction<SimulatedRank> rankOf;
  private final Stalls stalls;
  private final EventQueue events;
  private final FaultCounts counts;
  private final SplittableRandom random;
  private final Tampering tampering;
  private final Map<Long, Runnable> underWay = new HashMap<>();
  private final List<View> views = new ArrayList<>();
  private final long[] lastToRank;
  private final long[] lastFromRank;

  /** By sender and receiver: when the last probe comes. */
  private final long[][] lastProbe;

  /** Ranks that hear nothing until they have taken their part of a checkpoint. */
  private final BitSet closed = new BitSet();

  private final List<Deque<ToMember>> heldBack;
  private final BareCoordinator coordinator;
  private long sent;

  ControlPlane(
      Simulation simulation,
      IntFunction<SimulatedRank> rankOf,
      EventQueue events,
      FaultCounts counts,
      SplittableRandom random,
      Tampering tampering) {
    this.ranks = simulation.ranks();
    this.rankOf = rankOf;
    this.stalls = simulation.stalls();
    this.events = events;
    this.counts = counts;
    this.random = random;
    this.tampering = tampering;
    this.lastToRank = new long[ranks];
    this.lastFromRank = new long[ranks];
    this.lastProbe = new long[ranks][ranks];
    this.heldBack =
        Stream.generate(() -> (Deque<ToMember>) new ArrayDeque<ToMember>()).limit(ranks).toList();
    this.coordinator =
        new BareCoordinator(
            ranks,
            simulation.epochs().mayStop() ? StoppingRule.at(GOOD_ACCURACY) : StoppingRule.NONE,
            ranks - simulation.workers(),
            this::send);
    views.add(View.all(ranks, 0));
    coordinator.startTogether();
  }

  /** All ranks have crashed, and what was said is lost: they begin in the view of all. */
  void crash(BareCoordinator.Failover how, SimulatedCheckpoints.Kept last) {
    underWay.clear();
    heldBack.forEach(Deque::clear);
    closed.clear();
    Arrays.fill(lastToRank, 0);
    Arrays.fill(lastFromRank, 0);
    Arrays.stream(lastProbe).forEach(ofRank -> Arrays.fill(ofRank, 0));
    coordinator.failOver(how, last.number(), last.coordinator());
    views.add(View.all(ranks, 0));
  }

  BareCoordinator coordinator() {
    return coordinator;
  }

  /** All views so far. */
  List<View> views() {
    return views;
  }

  /** The latest of them. */
  View view() {
    return views.get(views.size() - 1);
  }

  boolean isIdle() {
    return underWay.isEmpty() && heldBack.stream().allMatch(Deque::isEmpty);
  }

  /** A rank tells the coordinator something. */
  void tell(int rank, ToCoordinator event) {
    lastFromRank[rank] = Math.max(lastFromRank[rank], arrivalNanos());
    tampering
        .tells(rank, event)
        .ifPresent(
            told -> schedule(rank, lastFromRank[rank], () -> coordinator.handle(rank, told)));
  }

  /** A rank sends another a probe, over a connection that loses nothing and is sometimes slow. */
  void probe(int from, int to, long checkpoint) {
    long slow = random.nextInt(SLOW_PROBES) == 0 ? random.nextLong(MAX_SLOW_PROBE_NANOS) : 0;
    lastProbe[from][to] = Math.max(lastProbe[from][to], arrivalNanos() + slow);
    schedule(to, lastProbe[from][to], () -> rankOf.apply(to).probe(from, checkpoint));
  }

  private void send(int rank, ToMember event) {
    if (rank == 0 && event instanceof ToRank toRank && toRank.message() instanceof Enter enter) {
      note(enter.view());
    }
    if (closed.get(rank)) {
      heldBack.get(rank).add(event);
    } else {
      lastToRank[rank] = Math.max(lastToRank[rank], stalls.doneNanos(rank, arrivalNanos()));
      tampering
          .told(rank, event)
          .ifPresent(
              told -> schedule(rank, lastToRank[rank], () -> rankOf.apply(rank).control(told)));
    }
  }

  private void note(View view) {
    View before = view();
    counts.count(Response.LEFT_OUT, withoutThoseOf(before, view));
    counts.count(Response.REJOINED, withoutThoseOf(view, before));
    views.add(view);
  }

  /** How many members of one view are not in another. */
  private static long withoutThoseOf(View one, View other) {
    return one.members().stream().filter(rank -> !other.contains(rank)).count();
  }

  private long arrivalNanos() {
    return events.nowNanos() + Seeds.between(random, MIN_LATENCY_NANOS, MAX_LATENCY_NANOS);
  }

  private void schedule(int rank, long nanos, Runnable arrival) {
    underWay.put(sent, arrival);
    events.schedule(nanos, Event.Kind.CONTROL, rank, sent++);
  }

  /** What was said has come. */
  void deliver(long number) {
    underWay.remove(number).run();
  }

  /** Sends a rank a checkpoint's barrier, behind all that it has been told, and before the rest. */
  void barrier(int rank, long nanos, long checkpoint) {
    lastToRank[rank] = Math.max(lastToRank[rank], nanos);
    events.schedule(lastToRank[rank], Event.Kind.BARRIER, rank, checkpoint);
  }

  /** All ranks are held, and a checkpoint's barriers are on their way to them. */
  void close() {
    closed.set(0, ranks);
  }

  /** The checkpoint is aborted. */
  void openAll() {
    for (int rank = 0; rank < ranks; rank++) {
      open(rank);
    }
  }

  /** A rank has taken its part of the checkpoint. */
  void open(int rank) {
    closed.clear(rank);
    Deque<ToMember> waiting = heldBack.get(rank);
    while (!waiting.isEmpty()) {
      send(rank, waiting.remove());
    }
  }
}
