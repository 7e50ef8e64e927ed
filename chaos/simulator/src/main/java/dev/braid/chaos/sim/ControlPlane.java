package dev.braid.chaos.sim;

import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.Stalls;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage.Enter;
import dev.braid.loop.coordinator.BareCoordinator;
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
 * The loop's coordinator, and its messages to and from ranks, which are Flink's operator events.
 * They arrive in order and late, independently of links.
 */
final class ControlPlane {

  private static final long MIN_LATENCY_NANOS = 50_000;
  private static final long MAX_LATENCY_NANOS = 5_000_000;

  private static final long MAX_SLOW_PROBE_NANOS = 1_000_000_000;

  /** Accuracy between that of a model that reaches the target and that of one that does not. */
  private static final double GOOD_ACCURACY = 0.9;

  private final int ranks;
  private final IntFunction<SimulatedRank> rankOf;
  private final Stalls stalls;
  private final Disturbances disturbances;
  private final EventQueue events;
  private final FaultCounts counts;
  private final SplittableRandom random;
  private final Tampering tampering;
  private final Map<Long, Runnable> underWay = new HashMap<>();
  private final List<View> views = new ArrayList<>();
  private final long[] lastToRank;
  private final long[] lastFromRank;

  /** Time when the last probe arrives, by sender and receiver, in nanoseconds. */
  private final long[][] lastProbe;

  /** Ranks that receive nothing until they have taken their part of a checkpoint. */
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
    this.disturbances = simulation.disturbances();
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

  /**
   * Restarts after all ranks have crashed: all messages are lost, and ranks begin in the view of
   * all.
   */
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

  /** Returns all views so far. */
  List<View> views() {
    return views;
  }

  /** Returns the latest view. */
  View view() {
    return views.get(views.size() - 1);
  }

  boolean isIdle() {
    return underWay.isEmpty() && heldBack.stream().allMatch(Deque::isEmpty);
  }

  /** Sends an event of a rank to the coordinator. */
  void tell(int rank, ToCoordinator event) {
    counts.count(event);
    lastFromRank[rank] = Math.max(lastFromRank[rank], arrivalNanos());
    tampering
        .tells(rank, event)
        .ifPresent(
            told -> schedule(rank, lastFromRank[rank], () -> coordinator.handle(rank, told)));
  }

  /**
   * Sends a probe from a rank to another, over a connection that loses nothing and is sometimes
   * slow.
   */
  void probe(int from, int to, long checkpoint) {
    boolean isSlow = disturbances.occurs(Disturbances.Rate.SLOW_PROBES, random);
    long arrival = arrivalNanos() + (isSlow ? random.nextLong(MAX_SLOW_PROBE_NANOS) : 0);
    lastProbe[from][to] = Math.max(lastProbe[from][to], stalls.doneNanos(to, arrival));
    schedule(to, lastProbe[from][to], () -> rankOf.apply(to).probe(from, checkpoint));
  }

  private void send(int rank, ToMember event) {
    counts.count(event);
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

  /** Returns the number of members of one view that are not in another. */
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

  /** Delivers an event. */
  void deliver(long number) {
    underWay.remove(number).run();
  }

  /**
   * Sends the barrier of a checkpoint to a rank, after all events sent so far and before later
   * ones.
   */
  void barrier(int rank, long nanos, long checkpoint) {
    lastToRank[rank] = Math.max(lastToRank[rank], stalls.doneNanos(rank, nanos));
    events.schedule(lastToRank[rank], Event.Kind.BARRIER, rank, checkpoint);
  }

  /**
   * Holds back events to ranks, since all are held and the barriers of a checkpoint are in flight.
   */
  void close() {
    closed.set(0, ranks);
  }

  /** Delivers the events that were held back, since the checkpoint is aborted. */
  void openAll() {
    for (int rank = 0; rank < ranks; rank++) {
      open(rank);
    }
  }

  /**
   * Delivers the events that were held back for a rank, which has taken its part of the checkpoint.
   */
  void open(int rank) {
    closed.clear(rank);
    Deque<ToMember> waiting = heldBack.get(rank);
    while (!waiting.isEmpty()) {
      send(rank, waiting.remove());
    }
  }
}
