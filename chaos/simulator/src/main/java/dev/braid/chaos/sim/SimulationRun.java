package dev.braid.chaos.sim;

import dev.braid.chaos.sim.FaultCounts.Disturbance;
import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.check.EpochReports;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.loop.coordinator.BareCoordinator;
import dev.braid.vector.Slice;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One run of a simulation, from the first event to the last. */
final class SimulationRun {

  /** Maximum number of ranks that the text of a failure lists. */
  private static final int LISTED = 16;

  private static final long MAX_RESTORE_NANOS = 1_000_000;

  /** Greatest time of a slow restore, which is much longer than a round. */
  private static final long MAX_SLOW_RESTORE_NANOS = 3_000_000_000L;

  private final Simulation simulation;
  private final EventQueue events = new EventQueue();
  private final FaultCounts counts = new FaultCounts();
  private final SimulatedNetwork network;
  private final UpdateCheck check;
  private final EpochReports reports;
  private final List<SimulatedRank> ranks;
  private final SimulatedCheckpoints checkpoints;
  private final ControlPlane control;
  private final long[] roundEndNanos;
  private final SplittableRandom random;

  /** Numbers of events after which crashes are still to come. */
  private final ArrayDeque<Long> crashes = new ArrayDeque<>();

  /** Number of rounds of each rank that were complete when the rank was last checked. */
  private final long[] noted;

  private long rounds;

  /** Number of crashes of all ranks, and of restores. */
  private int crashed;

  private int restarts;

  SimulationRun(Simulation simulation) {
    this.simulation = simulation;
    this.network = new SimulatedNetwork(simulation, counts, events);
    this.check = simulation.check().get();
    this.reports =
        new EpochReports(
            simulation.ranks(),
            simulation.workers(),
            simulation.epochs(),
            !simulation.parts().isEmpty());
    Tampering tampering = simulation.tampering().get();
    this.control =
        new ControlPlane(
            simulation, this::rank, events, counts, Seeds.of(simulation.seed(), -2), tampering);
    this.ranks =
        IntStream.range(0, simulation.ranks())
            .mapToObj(
                rank ->
                    new SimulatedRank(
                        rank,
                        simulation,
                        check,
                        reports,
                        network,
                        counts,
                        events,
                        control,
                        tampering))
            .toList();
    this.checkpoints =
        new SimulatedCheckpoints(
            simulation, ranks, control, events, check, reports, counts, tampering);
    if (!simulation.parts().isEmpty() && simulation.parts().size() != simulation.ranks()) {
      counts.count(Disturbance.RESCALED);
    }
    this.random = Seeds.of(simulation.seed(), -3);
    Arrays.stream(simulation.crashesAfterEvents()).sorted().forEach(crashes::add);
    this.network.deliverTo(this::deliver);
    this.roundEndNanos = new long[simulation.rounds()];
    this.noted = new long[simulation.ranks()];
  }

  private SimulatedRank rank(int rank) {
    return ranks.get(rank);
  }

  SimulationResult run() {
    SimulationResult result;
    try {
      ranks.forEach(SimulatedRank::start);
      do {
        while (!isDone()) {
          step();
        }
        if (!ranks.get(0).isSynchronous()) {
          check.quiet();
        }
        result = result();
      } while (!finish());
      checkHandedOver();
      if (control.view().size() < ranks.size()) {
        counts.count(Disturbance.ENDED_WITH_EXCLUDED);
      }
      counts.count(Response.REPLANNED, reports.countOtherTrees());
      if (simulation.epochs().areThere()) {
        long[] used = workers().mapToLong(SimulatedRank::usedBatches).toArray();
        reports.ended(used, simulation.rounds());
      }
    } catch (RuntimeException e) {
      throw new SimulationFailure(describe(e.getMessage()), e);
    }
    return result;
  }

  Optional<SavedSimulation> runUntilSaved(int count) {
    try {
      ranks.forEach(SimulatedRank::start);
      while (!isDone() && checkpoints.countTaken() < count) {
        step();
      }
    } catch (RuntimeException e) {
      throw new SimulationFailure(describe(e.getMessage()), e);
    }
    if (checkpoints.countTaken() < count) {
      return Optional.empty();
    }
    checkpoints.last().known().forEach(Runnable::run);
    return Optional.of(new SavedSimulation(checkpoints.last().parts(), reports.reported()));
  }

  private SimulationResult result() {
    return new SimulationResult(
        ranks.stream().map(SimulatedRank::replica).toArray(float[][]::new),
        workers().mapToLong(SimulatedRank::completed).toArray(),
        roundEndNanos,
        events.nowNanos(),
        network.traffic(),
        counts,
        events.happened(),
        events.digest(),
        network.unreleased(),
        checkpoints.countTaken(),
        checkpoints.countDeclined(),
        crashed,
        reports.countPartlyEvaluated(),
        reports.reported(),
        control.views());
  }

  /**
   * Lets all ranks finish and hand over their models.
   *
   * @return whether they have; otherwise they have crashed before
   */
  private boolean finish() {
    int before = restarts;
    if (!simulation.epochs().areThere()) {
      ranks.forEach(SimulatedRank::sayDone);
    }
    while (restarts == before && !ranks.stream().allMatch(SimulatedRank::hasFinished)) {
      crashIfDue();
      if (restarts == before) {
        happen(next().orElseThrow(() -> new IllegalStateException("not all ranks can finish")));
      }
    }
    return restarts == before;
  }

  /**
   * Checks that the ranks' parts make one whole model and, in synchronous exchanges, that it is the
   * replica of a worker.
   */
  private void checkHandedOver() {
    float[] model = new float[simulation.length()];
    int elements = 0;
    for (SimulatedRank rank : ranks) {
      Slice part = rank.handedOver();
      System.arraycopy(part.array(), part.offset(), model, part.offset(), part.length());
      elements += part.length();
    }
    if (elements != model.length) {
      throw new IllegalStateException(
          "%d elements are handed over: must be %d, those of the model"
              .formatted(elements, model.length));
    }
    // Servers have no replica of their own, and an excluded worker has an old one.
    SimulatedRank first =
        workers().filter(rank -> rank.handedOver().length() > 0).findFirst().orElse(rank(0));
    if (first.isSynchronous() && !Arrays.equals(model, first.replica())) {
      throw new IllegalStateException(
          "the model that is handed over differs from that of " + first);
    }
  }

  private boolean isDone() {
    return network.inFlight() == 0
        && !checkpoints.underWay()
        && control.isIdle()
        && areThrough()
        && (!simulation.epochs().areThere() || ranks.stream().allMatch(SimulatedRank::hasFinished));
  }

  private boolean areThrough() {
    return (rounds >= simulation.rounds() || simulation.epochs().mayStop())
        // A message that is not in flight may have to be sent again. And a rank that was just
        // excluded may count the last round, but lack its sum.
        && ranks.stream().allMatch(SimulatedRank::isThrough);
  }

  private void step() {
    crashIfDue();
    checkpoints.beginIfDue(areThrough());
    Optional<Event> next = next();
    if (next.isPresent()) {
      happen(next.get());
    } else if (!isDone()) {
      throw new IllegalStateException("stuck: no event is left");
    }
  }

  private void crashIfDue() {
    if (!crashes.isEmpty() && crashes.element() <= events.happened()) {
      crashes.remove();
      crash();
    }
  }

  private void crash() {
    crashed++;
    checkpoints.crash();
    restart(checkpoints.failover());
  }

  /** Restarts all ranks, which are lost and deployed again. */
  private void restart(BareCoordinator.Failover way) {
    restarts++;
    SimulatedCheckpoints.Kept last = checkpoints.last();
    events.crash();
    network.crash();
    counts.count(
        switch (way) {
          case REGION -> Disturbance.REGION_RESTARTED;
          case JOB -> Disturbance.JOB_RESTARTED;
          case JOB_MANAGER -> Disturbance.JOB_MANAGER_LOST;
        });
    control.crash(way, last);
    last.known().forEach(Runnable::run);
    boolean isSlow = simulation.disturbances().occurs(Disturbances.Rate.SLOW_RESTORES, random);
    long most = isSlow ? MAX_SLOW_RESTORE_NANOS : MAX_RESTORE_NANOS;
    for (int rank = 0; rank < ranks.size(); rank++) {
      ranks.get(rank).crash(last.parts());
      check.restored(rank);
      long deployed = events.nowNanos() + random.nextLong(most);
      events.schedule(deployed, Event.Kind.DEPLOYED, rank, 0);
      events.schedule(deployed + random.nextLong(most), Event.Kind.RESTORED, rank, 0);
    }
  }

  private Optional<Event> next() {
    if (events.happened() >= simulation.maxEvents()) {
      throw new IllegalStateException(
          "not done after " + events.happened() + " events, the maximum");
    }
    return events.next();
  }

  /** Delivers a message to its rank. */
  private void deliver(Event arrival) {
    long nanos = simulation.stalls().doneNanos(arrival.rank(), events.nowNanos());
    if (nanos == events.nowNanos()) {
      ranks.get(arrival.rank()).receive(arrival.tag(), arrival.message().orElseThrow());
    } else {
      counts.count(Disturbance.PAUSED);
      events.message(nanos, Event.Kind.ENTRY, arrival.tag(), arrival.message().orElseThrow());
    }
  }

  private void happen(Event event) {
    network.faults().advance(events.nowNanos());
    SimulatedRank rank = ranks.get(event.rank());
    switch (event.kind()) {
      case SENT -> network.sent(event);
      case ARRIVAL -> network.arrive(event);
      case WAKE -> network.wake();
      case ENTRY -> deliver(event);
      case BATCH -> rank.batch();
      case GRADIENT -> rank.gradientReady();
      case EVALUATED -> rank.evaluated();
      case DEADLINE -> rank.deadline(event.tag());
      case BARRIER -> checkpoints.barrier(event.rank(), event.tag());
      case COMPLETE -> {
        checkpoints
            .complete(event.tag())
            .ifPresent(
                way -> {
                  checkpoints.abandon();
                  restart(way);
                });
      }
      case ABORT -> checkpoints.abort(event.tag());
      case CRASH -> crash();
      case DEPLOYED -> control.coordinator().deployed(event.rank());
      case RESTORED -> control.tell(event.rank(), BareCoordinator.joined());
      case HOLD_DUE -> rank.holdDue(event.tag());
      case CONTROL -> control.deliver(event.tag());
    }
    if (event.kind() == Event.Kind.WAKE) {
      IntStream.range(0, ranks.size()).forEach(this::noteRounds);
    } else {
      noteRounds(event.rank());
    }
  }

  /** Notes the end of rounds that all ranks have completed, after one rank has advanced. */
  private void noteRounds(int rank) {
    long completed = ranks.get(rank).completed();
    if (completed == noted[rank]) {
      return;
    }
    noted[rank] = completed;
    long all = Long.MAX_VALUE;
    for (int worker = 0; worker < simulation.workers(); worker++) {
      all = Math.min(all, ranks.get(worker).completed());
    }
    for (; rounds < Math.min(all, roundEndNanos.length); rounds++) {
      roundEndNanos[(int) rounds] = events.nowNanos();
    }
  }

  /** Returns the ranks that compute. */
  private Stream<SimulatedRank> workers() {
    return ranks.stream().limit(simulation.workers());
  }

  private String describe(String problem) {
    String more = ranks.size() > LISTED ? "\n  … of " + ranks.size() + " ranks" : "";
    return "%s%nat %d ns, after %d events, with %d messages in flight, in %s%n  %s%s%nin force:%n  %s%nlast:%n  %s"
        .formatted(
            problem,
            events.nowNanos(),
            events.happened(),
            network.inFlight(),
            simulation,
            ranks.stream()
                .sorted((a, b) -> Long.compare(a.completed(), b.completed()))
                .limit(LISTED)
                .map(SimulatedRank::toString)
                .collect(Collectors.joining("\n  ")),
            more,
            network.faults(),
            events.latest().stream().map(Event::toString).collect(Collectors.joining("\n  ")));
  }
}
