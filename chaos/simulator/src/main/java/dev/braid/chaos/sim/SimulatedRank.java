package dev.braid.chaos.sim;

import dev.braid.chaos.sim.FaultCounts.Response;
import dev.braid.chaos.sim.check.EpochReports;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.coding.CodeTree;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.loop.coordinator.LoopEvent.AwaitRound;
import dev.braid.loop.coordinator.LoopEvent.Begin;
import dev.braid.loop.coordinator.LoopEvent.Begun;
import dev.braid.loop.coordinator.LoopEvent.Done;
import dev.braid.loop.coordinator.LoopEvent.Ended;
import dev.braid.loop.coordinator.LoopEvent.HoldDue;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.loop.member.BareMember;
import dev.braid.loop.member.ForwardingMember;
import dev.braid.loop.member.LoopMember;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.worker.BareTrainer;
import dev.braid.worker.report.TestShare;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * One rank in virtual time: the trainer and the hold protocol of a Flink job, with simulated
 * batches, timers, and connections to other ranks and to the coordinator. The run's check watches
 * it.
 */
final class SimulatedRank implements ForwardingMember, BareTrainer.World {

  /**
   * Virtual nanoseconds for a millisecond of a time-out: a hundredth, since rounds are shorter than
   * in a real run.
   */
  private static final long NANOS_PER_MILLI_OF_PATIENCE = 10_000;

  private final int rank;
  private final Simulation simulation;
  private final UpdateCheck check;
  private final EpochReports reports;
  private final SimulatedNetwork network;
  private final FaultCounts counts;
  private final EventQueue events;
  private final ControlPlane control;
  private final Tampering tampering;
  private final ExchangeConfig config;

  /** Messages that have arrived before the rank has begun. */
  private final Deque<Letter> early = new ArrayDeque<>();

  private BareMember member;
  private BareTrainer trainer;

  /** Whether the rank has crashed and not begun again. */
  private boolean isDown;

  /** Parts of the checkpoint from which all ranks resume. */
  private List<byte[]> kept;

  private final SimulatedComputing work;
  private final SimulatedSource source;
  private long deadlineRequest;

  /** Nanoseconds of the rank's clock in one nanosecond of the run. */
  private final double clockRate;

  /** Time of the rank's clock at the beginning of the run, in nanoseconds. */
  private long clockOffset;

  /** Last round that the rank has contributed to; −1 before the first. */
  private long contributed = -1;

  /** Last contribution, which no component may change. */
  private float[] contributedGradient = {};

  private float[] contributedValues = {};

  /** Number of complete rounds of this rank that the check knows. */
  private long completed;

  /** Number of other ranks that this rank continues without. */
  private int absentRanks;

  /** Last event with which it was done; empty before. */
  private Optional<Done> done = Optional.empty();

  /** Whether the coordinator gets such events. */
  private boolean saysDone;

  private boolean hasFinished;

  /** Its part of the model that all ranks hand over. */
  private Slice handedOver = Slice.EMPTY;

  SimulatedRank(
      int rank,
      Simulation simulation,
      UpdateCheck check,
      EpochReports reports,
      SimulatedNetwork network,
      FaultCounts counts,
      EventQueue events,
      ControlPlane control,
      Tampering tampering) {
    this.rank = rank;
    this.simulation = simulation;
    this.check = check;
    this.reports = reports;
    this.network = network;
    this.counts = counts;
    this.events = events;
    this.control = control;
    this.tampering = tampering;
    this.config =
        new ExchangeConfig(
            rank,
            simulation.ranks(),
            simulation.length(),
            simulation.chunkLength(),
            0,
            simulation.options());
    this.work =
        new SimulatedComputing(
            rank, simulation, network, counts, events, (nanos, kind) -> schedule(nanos, kind, 0));
    this.source = new SimulatedSource(rank, simulation, this::batchTaken);
    double drift = simulation.disturbances().of(Disturbances.Rate.CLOCK_DRIFT);
    this.clockRate = 1 + drift * (2 * Seeds.of(simulation.seed(), -6, rank).nextDouble() - 1);
    this.kept = simulation.parts();
    this.trainer = newTrainer();
    source.begin(trainer.rounds());
    this.member = newMember();
  }

  private BareTrainer newTrainer() {
    boolean mayStop = simulation.epochs().mayStop();
    return BareTrainer.of(
        this::exchange, config, simulation.format(), simulation.updater(), mayStop, kept, this);
  }

  private BareMember newMember() {
    return new BareMember(
        rank,
        simulation.ranks(),
        this,
        (to, checkpoint) -> control.probe(rank, to, checkpoint),
        this::tell);
  }

  private ExchangeRunner exchange(ExchangeConfig config, Port port) {
    Port watched = new WatchedPort(port, check, rank, this::roundOfUpdates);
    return simulation.exchange().create(config, tampering.port(rank, watched));
  }

  /**
   * Returns the round to which updates belong. In rounds that do not wait for all ranks, this rank
   * may not have contributed recently.
   */
  private long roundOfUpdates() {
    return exchange().waitsForAll() ? contributed : trainer.rounds();
  }

  // ---- events of the rank -----------------------------------------------------------------------

  void start() {
    trainer.begin();
    openSource();
  }

  private void openSource() {
    if (rank < simulation.workers()) {
      for (int i = 0; i < BareTrainer.PREFETCHED_BATCHES; i++) {
        batchTaken();
      }
    } else {
      trainer.exhausted();
    }
  }

  /** Takes the next batch of the source, if there is one. */
  void batch() {
    source.next(trainer);
    member.roundsAdvanced();
    observe();
  }

  /**
   * Receives a message.
   *
   * @param incarnation checkpoint from which its sender has resumed last
   */
  void receive(long incarnation, Message message) {
    Optional<Message> come = tampering.arriving(message, events.nowNanos());
    if (come.isEmpty()) {
      message.release();
      return;
    }
    Letter letter = new Letter(incarnation, come.get());
    if (isDown) {
      early.add(letter);
      return;
    }
    member.receive(letter);
    observe();
  }

  /** Receives a probe, which tests whether a checkpoint's barrier would arrive. */
  void probe(int from, long checkpoint) {
    if (!isDown && !hasFinished) {
      member.probe(from, checkpoint);
    }
  }

  /** Takes an event of the coordinator. */
  void control(ToMember event) {
    if (event instanceof Begin) {
      beginAgain();
      return;
    }
    if (isDown || hasFinished) {
      throw new IllegalStateException(
          "rank %d %s, but receives %s: Flink would restart the job"
              .formatted(rank, isDown ? "has not begun" : "has ended", event));
    }
    if (event instanceof AwaitRound await) {
      schedule(
          events.nowNanos() + await.atMostMillis() * NANOS_PER_MILLI_OF_PATIENCE,
          Event.Kind.HOLD_DUE,
          await.checkpoint());
    }
    member.handle(event);
    observe();
  }

  /** Tells the coordinator that the rank has waited for a round for the maximum time. */
  void holdDue(long checkpoint) {
    tell(new HoldDue(checkpoint));
  }

  void gradientReady() {
    work.gradientReady();
    observe();
  }

  /** Completes an evaluation. */
  void evaluated() {
    work.evaluated();
    observe();
  }

  void deadline(long request) {
    // A rank that was excluded at the end would otherwise ask to rejoin forever.
    if (request == deadlineRequest && !hasFinished) {
      trainer.deadline();
      member.roundsAdvanced();
      observe();
    }
  }

  /** Returns the rank's part of a checkpoint. */
  byte[] save(long checkpoint) {
    if (!hasFinished && member.isHeldFor(checkpoint)) {
      trainer.confirm();
    }
    return tampering.saved(rank, trainer.save(hasFinished || member.isHeld()));
  }

  /** Resumes after the rank has written its part. */
  void resume(long checkpoint) {
    if (!hasFinished) {
      member.resume(checkpoint);
      observe();
    }
  }

  /**
   * Crashes the rank, as all ranks, before it is restored.
   *
   * @param parts parts of all ranks in the last complete checkpoint
   */
  void crash(List<byte[]> parts) {
    isDown = true;
    kept = parts;
    early.clear();
    // Makes earlier deadlines invalid.
    deadlineRequest++;
    work.crash();
    done = Optional.empty();
    saysDone = false;
    hasFinished = false;
  }

  /** Begins again, since all ranks have restored their states. */
  private void beginAgain() {
    if (clockRate != 1) {
      // The clock of another process begins anywhere.
      clockOffset = Seeds.of(simulation.seed(), -7, rank, events.happened()).nextLong(1L << 50);
    }
    trainer = newTrainer();
    member = newMember();
    isDown = false;
    source.restart(tampering.firstBatch(rank, trainer.rounds()));
    completed = trainer.rounds();
    contributed = -1;
    absentRanks = 0;
    tell(new Begun());
    start();
    tampering
        .leftFromBeforeCrash(rank)
        .forEach(message -> member.receive(new Letter(member.incarnation(), message)));
    while (!early.isEmpty()) {
      member.receive(early.remove());
    }
    observe();
  }

  private void observe() {
    int absent = exchange().absentRanks().size();
    counts.count(Response.LEFT_OUT, absent - absentRanks);
    counts.count(Response.REJOINED, absentRanks - absent);
    absentRanks = absent;
  }

  // ---- calls of the trainer ---------------------------------------------------------------------

  @Override
  public LoopMember member() {
    return trainer.member();
  }

  @Override
  public void receive(Message message) {
    check.receiving(rank, message);
    member().receive(message);
  }

  // ---- world of the trainer ---------------------------------------------------------------------

  @Override
  public long nowNanos() {
    return clockRate == 1 ? events.nowNanos() : clock(events.nowNanos());
  }

  private long clock(long nanos) {
    return clockOffset + (long) (nanos * clockRate);
  }

  @Override
  public void wakeAt(long nanos) {
    long due = nanos;
    if (clockRate != 1) {
      due = (long) Math.ceil((nanos - clockOffset) / clockRate);
      // Rounding must not make it too early, or the deadline would be requested again at once.
      while (clock(due) < nanos) {
        due++;
      }
    }
    schedule(due, Event.Kind.DEADLINE, ++deadlineRequest);
  }

  @Override
  public void batchTaken() {
    schedule(events.nowNanos(), Event.Kind.BATCH, 0);
  }

  @Override
  public void planned(Optional<CodeTree> codes, int beforeEpoch) {
    reports.planned(rank, codes, beforeEpoch);
    source.planned(codes, beforeEpoch);
  }

  @Override
  public void compute(long round, float[] weights, float[] gradient, Runnable ready) {
    work.compute(round, source.gradient(round, weights), gradient, ready);
  }

  @Override
  public void evaluate(Runnable ready) {
    work.evaluate(ready);
  }

  @Override
  public boolean isGoodAfter(int epoch) {
    return simulation.epochs().mayStop() && epoch >= simulation.epochs().stopsAfter();
  }

  @Override
  public void epochOver(int epoch, long completedRounds, TestShare share) {
    reports.reported(rank, epoch, source.batch(completedRounds), share);
  }

  @Override
  public void gradientIsDropped() {
    work.drop();
  }

  private void schedule(long nanos, Event.Kind kind, long tag) {
    long later = Math.max(nanos, events.nowNanos());
    events.schedule(simulation.stalls().doneNanos(rank, later), kind, rank, tag);
  }

  @Override
  public void send(Message message) {
    if (message.from() != rank
        || message.to() < 0
        || message.to() >= simulation.ranks()
        || message.range().end() > simulation.length()) {
      throw new IllegalStateException(
          "rank %d sends %s: must be from itself, to a rank below %d, and of elements below %d"
              .formatted(rank, message, simulation.ranks(), simulation.length()));
    }
    network.send(tampering.incarnation(rank, member.incarnation()), message);
  }

  /**
   * Passes an event to the coordinator. In a run without epochs, {@code Done} is passed only by
   * {@link #sayDone}, because such ranks are done when nothing is in flight, not when they say so.
   */
  @Override
  public void tell(ToCoordinator event) {
    if (event instanceof Done said) {
      done = Optional.of(said);
    }
    if (saysDone || simulation.epochs().areThere() || !(event instanceof Done)) {
      control.tell(rank, event);
    }
  }

  /**
   * Tells the coordinator that it is done, and again in every later view, since one may be about to
   * begin.
   */
  void sayDone() {
    saysDone = true;
    control.tell(rank, done.orElseThrow());
  }

  @Override
  public void contributes(Contribution contribution) {
    if (exchange().isSynchronous() && !exchange().mayCompute()) {
      throw new IllegalStateException(
          "rank %d has the gradient of round %d, but must not compute"
              .formatted(rank, contribution.round()));
    }
    contributed = contribution.round();
    contributedGradient = contribution.gradient();
    contributedValues = contributedGradient.clone();
    check.contributing(rank, contribution);
  }

  @Override
  public void ends() {
    check.ended(rank);
  }

  @Override
  public void roundDone(long round) {
    if (contributed == round && !Arrays.equals(contributedGradient, contributedValues)) {
      throw new IllegalStateException(
          "rank %d wrote into its gradient of round %d".formatted(rank, round));
    }
    completed = round + 1;
    check.completed(rank, round);
  }

  @Override
  public void roundCounts(long round) {
    check.counts(rank, round);
    reports.counts(rank, source.batch(round));
  }

  @Override
  public void entered(View view) {
    check.entered(rank, view);
    if (trainer.rounds() < completed) {
      completed = trainer.rounds();
      check.setBack(rank, completed);
    }
  }

  @Override
  public void finished(float[] model, Range part) {
    hasFinished = true;
    handedOver = Slice.view(Arrays.copyOf(model, model.length), part);
    tell(new Ended());
  }

  // ---- state ------------------------------------------------------------------------------------

  private ExchangeRunner exchange() {
    return trainer.exchange();
  }

  long completed() {
    return trainer.rounds();
  }

  /** Returns the number of batches that it has used. */
  long usedBatches() {
    return source.batch(trainer.rounds());
  }

  float[] replica() {
    return trainer.weights();
  }

  boolean isSynchronous() {
    return exchange().isSynchronous();
  }

  /** Returns whether its training is over and nothing of it is in flight. */
  boolean isThrough() {
    return hasFinished || (done.isPresent() && exchange().isQuiet() && exchange().isCurrent());
  }

  boolean hasFinished() {
    return hasFinished;
  }

  Slice handedOver() {
    return handedOver;
  }

  @Override
  public String toString() {
    return "rank %d%s: %d rounds complete; %s"
        .formatted(rank, isDown ? ", down" : "", completed(), trainer);
  }
}
