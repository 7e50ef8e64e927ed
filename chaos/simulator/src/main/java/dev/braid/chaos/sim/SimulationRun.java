package dev.braid.chaos.sim;

import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.Seeds;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One run of a simulation, from the first event to the last. */
final class SimulationRun {

  /** How many ranks the text of a failure lists. */
  private static final int LISTED = 16;

  private final Simulation simulation;
  private final EventQueue events = new EventQueue();
  private final FaultCounts counts = new FaultCounts();
  private final Network network;
  private final UpdateCheck check;
  private final List<SimulatedRank> ranks;
  private final SimulatedCheckpoints checkpoints;
  private final ControlPlane control;
  private final long[] roundEndNanos;

  /** By rank: how many rounds it had completed when it was last looked at. */
  private final long[] noted;

  private long rounds;

  SimulationRun(Simulation simulation) {
    this.simulation = simulation;
    this.network = new Network(simulation, counts, events);
    this.check = simulation.check().get();
    this.control =
        new ControlPlane(
            simulation.ranks(),
            this::rank,
            simulation.stalls(),
            events,
            counts,
            Seeds.of(simulation.seed(), -2));
    this.ranks =
        IntStream.range(0, simulation.ranks())
            .mapToObj(
                rank ->
                    new SimulatedRank(rank, simulation, check, network, counts, events, control))
            .toList();
    this.checkpoints =
        new SimulatedCheckpoints(
            simulation.checkpointsAfterEvents(),
            simulation.checkpointIntervalNanos(),
            ranks,
            control,
            events,
            check,
            Seeds.of(simulation.seed(), -1));
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
      while (!isDone()) {
        step();
      }
      if (!ranks.get(0).isSynchronous()) {
        check.quiet();
      }
      result = result();
      finish();
    } catch (RuntimeException e) {
      throw new SimulationFailure(describe(e.getMessage()), e);
    }
    return result;
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
        control.views());
  }

  /** All ranks say that they are done, and hand over their models. */
  private void finish() {
    ranks.forEach(SimulatedRank::sayDone);
    while (!ranks.stream().allMatch(SimulatedRank::hasFinished)) {
      happen(next().orElseThrow(() -> new IllegalStateException("not all ranks can finish")));
    }
  }

  private boolean isDone() {
    return network.inFlight() == 0 && !checkpoints.underWay() && control.isIdle() && areThrough();
  }

  private boolean areThrough() {
    return rounds >= simulation.rounds()
        // What is not in flight may still have to be sent again; and a rank that was left out just
        // now may count the last round, and lack its sum.
        && ranks.stream().allMatch(SimulatedRank::isThrough);
  }

  private void step() {
    checkpoints.beginIfDue(areThrough());
    Optional<Event> next = next();
    if (next.isPresent()) {
      happen(next.get());
    } else if (!isDone()) {
      throw new IllegalStateException("stuck: nothing is left to happen");
    }
  }

  private Optional<Event> next() {
    if (events.happened() >= simulation.maxEvents()) {
      throw new IllegalStateException(
          "not done after " + events.happened() + " events, the most that are allowed");
    }
    return events.next();
  }

  /** A message has come to its rank. */
  private void deliver(Event arrival) {
    long nanos = simulation.stalls().doneNanos(arrival.rank(), events.nowNanos());
    if (nanos == events.nowNanos()) {
      ranks.get(arrival.rank()).receive(arrival.tag(), arrival.message().orElseThrow());
    } else {
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
      case BATCH -> rank.batch(event.tag());
      case GRADIENT -> rank.gradientReady(event.tag());
      case DEADLINE -> rank.deadline(event.tag());
      case RESUME -> checkpoints.resume(event.rank());
      case HOLD_DUE -> rank.holdDue(event.tag());
      case CONTROL -> control.deliver(event.tag());
    }
    if (event.kind() == Event.Kind.WAKE) {
      IntStream.range(0, ranks.size()).forEach(this::noteRounds);
    } else {
      noteRounds(event.rank());
    }
  }

  /** Notes the end of rounds that all ranks have completed, now that one rank has gone on. */
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

  /** The ranks that compute. */
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
