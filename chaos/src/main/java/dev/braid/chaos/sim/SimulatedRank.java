package dev.braid.chaos.sim;

import dev.braid.chaos.fault.Effect;
import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.Elastic;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.HostedExchange;
import dev.braid.exchange.Port;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.Update;
import dev.braid.exchange.ViewMessage.Enter;
import dev.braid.exchange.ViewMessage.ToArbiter;
import dev.braid.exchange.ViewMessage.ToRank;
import dev.braid.exchange.ViewPort;
import dev.braid.exchange.message.Message;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * One rank: an exchange, its port, a replica of the model, and the loop of computing and
 * contributing.
 */
final class SimulatedRank implements Port, ViewPort {

  private final int rank;
  private final Simulation simulation;
  private final UpdateCheck check;
  private final Network network;
  private final FaultCounts counts;
  private final EventQueue events;
  private final float[] replica;

  private ControlPlane control;
  private HostedExchange hosted;
  private Exchange exchange;

  /** The round that the next gradient is for. */
  private long nextRound;

  private long completed;
  private long deadlineRequest;
  private boolean computing;
  private boolean frozen;

  /** How many others this one goes on without. */
  private int absentRanks;

  /** Steps that the replica has taken: a copy takes them along. */
  private long steps;

  /** Whether the gradient that is being computed is of weights that are no longer the replica's. */
  private boolean computesInVain;

  /** The gradient of the round under way, to be contributed again after a roll-back. */
  private Optional<Contribution> contributed = Optional.empty();

  /** A gradient that could not be contributed while the rank was frozen. */
  private Optional<Contribution> withheld = Optional.empty();

  SimulatedRank(
      int rank,
      Simulation simulation,
      UpdateCheck check,
      Network network,
      FaultCounts counts,
      EventQueue events) {
    this.rank = rank;
    this.simulation = simulation;
    this.check = check;
    this.network = network;
    this.counts = counts;
    this.events = events;
    this.replica = new float[simulation.length()];
    this.hosted = newExchange(0);
    this.exchange = hosted.exchange();
  }

  private HostedExchange newExchange(long completedRounds) {
    ExchangeConfig config =
        new ExchangeConfig(
            rank,
            simulation.ranks(),
            simulation.length(),
            simulation.chunkLength(),
            completedRounds,
            simulation.options());
    return HostedExchange.of(simulation.exchange().create(config, this));
  }

  // ---- what happens to the rank -----------------------------------------------------------------

  void join(ControlPlane plane) {
    control = plane;
  }

  void start() {
    computeIfDue();
  }

  /** The arbiter of views has said something. */
  void control(ToRank message) {
    long before = exchange.completedRounds();
    hosted.elastic().orElseThrow().handle(message);
    if (message instanceof Enter enter) {
      check.entered(rank, enter.view());
      if (exchange.completedRounds() < before) {
        completed--;
        nextRound = completed;
        contributed = Optional.empty();
        withheld = Optional.empty();
        computesInVain = computing;
        check.setBack(rank, completed);
      }
      if (contributed.isPresent()) {
        withheld = contributed;
        contributed = Optional.empty();
        nextRound = withheld.get().round();
      }
    }
    observe();
  }

  void receive(Message message) {
    check.receiving(rank, message);
    exchange.receive(message);
    observe();
  }

  void gradientReady(long round) {
    computing = false;
    if (computesInVain) {
      computesInVain = false;
    } else {
      withheld = Optional.of(simulation.gradients().of(rank, round));
    }
    goOnIfDue();
  }

  void deadline(long request) {
    if (request == deadlineRequest) {
      exchange.deadline();
      observe();
    }
  }

  /** From now on no gradient is begun or contributed. */
  void freeze() {
    frozen = true;
  }

  /** How many steps are complete that all ranks take together. */
  long joint() {
    return synchronous().jointRounds();
  }

  /** Whether nothing is left to do here for the first so many of them. */
  boolean isThrough(long joint) {
    return synchronous().isThrough(joint);
  }

  private Synchronous synchronous() {
    return hosted.synchronous().orElseThrow();
  }

  boolean isSynchronous() {
    return hosted.isSynchronous();
  }

  void flush() {
    hosted.asynchronous().orElseThrow().flush();
  }

  boolean isQuiet() {
    return exchange.isQuiet();
  }

  /** Whether a rank that cannot be reached keeps this one from getting quiet. */
  boolean lacksAnother() {
    return hosted.asynchronous().map(it -> !it.unreachable().isEmpty()).orElse(false);
  }

  /** Whether the replica is the model of the view that the rank is in; without views, always. */
  boolean isCurrent() {
    return hosted.elastic().map(Elastic::isCurrent).orElse(true);
  }

  /** A new exchange in place of this one, from what this one writes into a checkpoint. */
  void restore() {
    hosted.asynchronous().ifPresent(it -> it.heldBack().forEach(this::update));
    try {
      ByteArrayOutputStream state = new ByteArrayOutputStream();
      hosted.writeState(new DataOutputStream(state));
      hosted = newExchange(completed);
      exchange = hosted.exchange();
      hosted.readState(new DataInputStream(new ByteArrayInputStream(state.toByteArray())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    absentRanks = hosted.measured().absent().size();
    // A deadline that was asked for before does not count.
    deadlineRequest++;
  }

  void rollBack() {
    // A deadline that was asked for before does not count.
    deadlineRequest++;
    synchronous().rollBack();
    if (exchange.completedRounds() != completed) {
      throw new IllegalStateException(
          "rank %d went from %d completed rounds to %d by rolling back"
              .formatted(rank, completed, exchange.completedRounds()));
    }
    if (contributed.isPresent()) {
      withheld = contributed;
      contributed = Optional.empty();
      nextRound = completed;
    }
  }

  void resume() {
    frozen = false;
    exchange.goOn();
    goOnIfDue();
  }

  /**
   * Contributes the gradient that is ready, or begins another. An elastic exchange may forbid, and
   * an asynchronous one that still sends what it was asked to flush.
   */
  private void goOnIfDue() {
    boolean mayForbid = hosted.elastic().isPresent() || !hosted.isSynchronous();
    boolean mustWait = frozen || (mayForbid && !exchange.mayCompute());
    if (withheld.isEmpty()) {
      computeIfDue();
    } else if (!mustWait) {
      Contribution gradient = withheld.get();
      withheld = Optional.empty();
      contribute(gradient);
    }
  }

  private void contribute(Contribution gradient) {
    if (hosted.isSynchronous() && !exchange.mayCompute()) {
      throw new IllegalStateException(
          "rank %d has the gradient of round %d and may not compute"
              .formatted(rank, gradient.round()));
    }
    contributed = Optional.of(gradient);
    nextRound = gradient.round() + 1;
    check.contributing(rank, gradient);
    exchange.contribute(gradient);
    observe();
  }

  private void observe() {
    int absent = hosted.measured().absent().size();
    counts.count(Response.LEFT_OUT, absent - absentRanks);
    counts.count(Response.REJOINED, absentRanks - absent);
    absentRanks = absent;
    while (completed < exchange.completedRounds()) {
      check.completed(rank, completed);
      completed++;
    }
    if (withheld.isPresent() && withheld.get().round() < completed) {
      // The round was completed by others, with this gradient in it.
      nextRound = completed;
      withheld = Optional.empty();
    }
    if (completed == nextRound) {
      contributed.ifPresent(this::checkUnwritten);
      contributed = Optional.empty();
    }
    goOnIfDue();
  }

  private void checkUnwritten(Contribution gradient) {
    float[] original = simulation.gradients().of(rank, gradient.round()).gradient();
    if (!Arrays.equals(original, gradient.gradient())) {
      throw new IllegalStateException(
          "rank %d wrote into its gradient of round %d".formatted(rank, gradient.round()));
    }
  }

  private void computeIfDue() {
    if (!frozen && !computing && nextRound < simulation.rounds() && exchange.mayCompute()) {
      computing = true;
      double slowdown = network.faults().slowdown(rank);
      if (slowdown > 1) {
        counts.count(Effect.SLOWED);
      }
      long nanos = Math.round(simulation.computeTime().nanos(rank, nextRound) * slowdown);
      schedule(events.nowNanos() + nanos, Event.Kind.GRADIENT, nextRound);
    } else if (!frozen && nextRound == simulation.rounds() && completed == nextRound) {
      check.ended(rank);
      exchange.end();
    }
  }

  // ---- what the rank's exchange does to the world -----------------------------------------------

  @Override
  public long nowNanos() {
    return events.nowNanos();
  }

  @Override
  public void send(Message message) {
    if (message.from() != rank
        || message.to() < 0
        || message.to() >= simulation.ranks()
        || message.range().end() > replica.length) {
      throw new IllegalStateException(
          "rank %d sends %s: from itself, to a rank below %d, about elements below %d is needed"
              .formatted(rank, message, simulation.ranks(), replica.length));
    }
    network.send(message);
  }

  @Override
  public void wakeAt(long nanos) {
    schedule(nanos, Event.Kind.DEADLINE, ++deadlineRequest);
  }

  private void schedule(long nanos, Event.Kind kind, long tag) {
    long later = Math.max(nanos, events.nowNanos());
    events.schedule(simulation.stalls().doneNanos(rank, later), kind, rank, tag);
  }

  @Override
  public float[][] model() {
    return new float[][] {replica};
  }

  @Override
  public ViewPort views() {
    return this;
  }

  @Override
  public void tell(ToArbiter message) {
    control.tell(rank, message);
  }

  @Override
  public long steps() {
    return steps;
  }

  @Override
  public void caughtUp(long round, long stepsOfCopy) {
    steps = stepsOfCopy;
    completed = round;
    nextRound = round;
    withheld = Optional.empty();
    computesInVain = computing;
    check.caughtUp(rank, round);
  }

  @Override
  public void update(Update update) {
    check.updated(rank, nextRound - 1, update);
    Range range = update.range();
    Slice values = update.values();
    if (update instanceof Update.GradientSum sum) {
      steps++;
      for (int i = 0; i < range.length(); i++) {
        replica[range.start() + i] -= values.array()[values.offset() + i] / sum.samples();
      }
    } else {
      System.arraycopy(values.array(), values.offset(), replica, range.start(), range.length());
    }
  }

  // ---- how it stands ----------------------------------------------------------------------------

  long completed() {
    return completed;
  }

  float[] replica() {
    return replica;
  }

  @Override
  public String toString() {
    return "rank %d: %d rounds complete, next gradient is for round %d%s%s%s%s"
        .formatted(
            rank,
            completed,
            nextRound,
            computing ? ", computing" : "",
            contributed.isPresent() ? ", contributed" : "",
            withheld.isPresent() ? ", gradient withheld" : "",
            frozen ? ", frozen" : "");
  }
}
