package dev.braid.loop;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.loop.Durations.Kind;
import dev.braid.loop.coordinator.LoopCoordinator;
import dev.braid.loop.coordinator.LoopEvent;
import dev.braid.loop.coordinator.LoopEvent.Begin;
import dev.braid.loop.coordinator.LoopEvent.CarryOn;
import dev.braid.loop.coordinator.LoopEvent.Finish;
import dev.braid.loop.coordinator.LoopEvent.HoldAfter;
import dev.braid.loop.coordinator.LoopEvent.Joined;
import dev.braid.loop.coordinator.LoopEvent.ProbePaths;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.loop.envelope.Envelope.PathProbe;
import dev.braid.vector.Slice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.messages.Acknowledge;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;

/**
 * The loop as Flink drives it, in one thread: the real coordinator and hold protocol of every
 * member, links that deliver in order but at any time, aligned barriers, paths that carry nothing
 * for a while, checkpoints that succeed, are aborted early or late, and failures that restart all
 * members, one region or the whole job. What happens next is drawn from a seed among all that
 * could; what takes time has {@link Durations} from nothing to much longer than a round.
 */
public final class LoopSimulation {

  /** A member, and how its state is kept. */
  public interface SimulatedMember extends LoopMember {
    /** Begins, after construction or restoration. */
    void start();

    /** A snapshot is about to be taken, while held for the checkpoint. */
    default void beforeSnapshot() {}

    /** What a checkpoint keeps of this member. */
    Object snapshot(boolean held);

    /** Whether a time was asked for that has not come. */
    boolean awaitsWakeUp();

    /** That time has come. */
    void wakeUp();
  }

  /** Makes a member at its beginning, or from what the last complete checkpoint kept of all. */
  public interface MemberFactory {
    SimulatedMember create(int rank, LoopPort port, SimulatedWork work, List<Object> snapshots);
  }

  /** Time passes where nothing is under way, and seldom before: then time-outs are wrong. */
  private static final double EARLY_WAKE_UP_RATE = 0.002;

  private static final double HEAL_RATE = 0.01;

  /** Of the last rank; the others' are larger. */
  private static final int LEAST_BUFFER_BYTES = 4096;

  /** After so many steps nothing fails any more, so that a run that goes on for ever is stuck. */
  private static final long TROUBLED_STEPS = 50_000;

  private final int ranks;
  private final RandomGenerator random;
  private final MemberFactory factory;
  private final Rates rates;
  private Rates ratesAtTheEnd;
  private final Durations durations;
  private final LoopCoordinator coordinator;

  private final List<SimulatedMember> members = new ArrayList<>();
  private final List<HoldProtocol> protocols = new ArrayList<>();
  private final List<PathProbes> probes = new ArrayList<>();
  private final List<SimulatedWork> works = new ArrayList<>();
  private final List<Deque<Runnable>> mails = new ArrayList<>();

  /** A member's beginning, until which nothing reaches it. */
  private final List<DelayedQueue> starts = new ArrayList<>();

  /** From the coordinator, by member: in order, but not with what comes through the loop. */
  private final List<DelayedQueue> events = new ArrayList<>();

  /** To the coordinator, by member. */
  private final List<DelayedQueue> tidings = new ArrayList<>();

  /** Events that were sent before barriers were released come before them. */
  private final int[] pendingEvents;

  /** Flink delivers no event to a worker between a hold and the worker's snapshot. */
  private final List<Deque<Runnable>> heldBack = new ArrayList<>();

  private final Set<Integer> isolated = new HashSet<>();

  private final List<Isolation> isolations = new ArrayList<>();
  private final Deque<Runnable> coordinatorMails = new ArrayDeque<>();
  private final Set<Integer> ended = new HashSet<>();
  private final Set<Integer> begun = new HashSet<>();

  private SimulatedNetwork network;
  private long step;
  private int attempt;
  private long nextCheckpoint = 1;
  private boolean finishing;
  private boolean checkpointRunning;
  private boolean aborted;
  private Set<Integer> toTrigger = new HashSet<>();
  private Map<Integer, Object> acknowledged = new TreeMap<>();
  private boolean barriersReleased;
  private byte[] coordinatorState;

  private List<Object> lastSnapshots = List.of();
  private byte[] lastCoordinatorState;
  private long lastCheckpoint = OperatorCoordinator.NO_CHECKPOINT;
  private boolean failedAtEnd;

  private int completed;
  private int abortions;
  private int abortionsAfterAnEnd;
  private int declined;
  private int declinedLate;
  private long lastHoldAfter;
  private int failures;

  /**
   * How likely something happens in a step.
   *
   * @param failure of all members, who restart from the last checkpoint
   * @param isolation of a member from all others: what they send each other is lost; or its end
   * @param cut of the network between two members: what they send each other waits
   */
  public record Rates(
      double checkpoint, double abort, double failure, double isolation, double cut) {

    public static final Rates CALM = new Rates(0, 0, 0, 0, 0);
  }

  /** A member is parted from all others: what they send each other is lost. */
  public static final class Isolation {
    private final int rank;
    private final BooleanSupplier begins;
    private final BooleanSupplier ends;
    private boolean hasBegun;
    private boolean hasEnded;

    public Isolation(int rank, BooleanSupplier begins, BooleanSupplier ends) {
      this.rank = rank;
      this.begins = begins;
      this.ends = ends;
    }

    private void step(Set<Integer> isolated) {
      if (!hasBegun && begins.getAsBoolean()) {
        hasBegun = true;
        isolated.add(rank);
      }
      if (hasBegun && !hasEnded && ends.getAsBoolean()) {
        hasEnded = true;
        isolated.remove(rank);
      }
    }
  }

  /**
   * A simulation at its beginning.
   *
   * @param withoutScore how many members, the last ones, evaluate nothing
   */
  public LoopSimulation(
      int ranks,
      RandomGenerator random,
      StoppingRule target,
      int withoutScore,
      Rates rates,
      MemberFactory factory) {
    this.ranks = ranks;
    this.pendingEvents = new int[ranks];
    this.random = random;
    this.factory = factory;
    this.rates = rates;
    this.ratesAtTheEnd = rates;
    this.durations = new Durations(random);
    this.coordinator = new LoopCoordinator(() -> ranks, target, withoutScore);
    coordinator.start();
    begin();
  }

  /** Parts a member from all others, once and for as long as is said. */
  public void isolate(Isolation isolation) {
    isolations.add(isolation);
  }

  /** How likely checkpoints begin and are aborted from when members are told to finish. */
  public void checkpointsAtTheEnd(double checkpoint, double abort) {
    ratesAtTheEnd = new Rates(checkpoint, abort, rates.failure(), rates.isolation(), rates.cut());
  }

  private Rates checkpointRates() {
    return finishing ? ratesAtTheEnd : rates;
  }

  /** Runs until every member has ended its input, and nobody has anything left to say. */
  public void run(int maxSteps) throws Exception {
    for (int steps = 0; !isOver(); steps++) {
      if (steps == maxSteps || !step()) {
        throw new AssertionError(stuck(steps));
      }
    }
  }

  private String stuck(int steps) {
    return "stuck after %d steps, %d checkpoints, %d abortions, %d failures; ended: %s, isolated: %s,"
            .formatted(steps, completed, abortions, failures, ended, isolated)
        + " checkpoint running: %s, released: %s, aborted: %s; means of durations: %s%n%s"
            .formatted(
                checkpointRunning,
                barriersReleased,
                aborted,
                durations,
                members.stream().map(Object::toString).collect(Collectors.joining("\n")));
  }

  private boolean isOver() throws Exception {
    if (ended.size() < ranks || saysMore() || checkpointRunning) {
      return false;
    }
    if (rates.failure() > 0 && !failedAtEnd) {
      // The job may fail when all its workers have ended.
      failedAtEnd = true;
      fail();
      return false;
    }
    return true;
  }

  private boolean saysMore() {
    return !coordinatorMails.isEmpty()
        || mails.stream().anyMatch(queue -> !queue.isEmpty())
        || events.stream().anyMatch(queue -> !queue.isEmpty())
        || tidings.stream().anyMatch(queue -> !queue.isEmpty());
  }

  public int completedCheckpoints() {
    return completed;
  }

  public int abortedCheckpoints() {
    return abortions;
  }

  /** How many of them when a member had ended. */
  public int abortionsAfterAnEnd() {
    return abortionsAfterAnEnd;
  }

  /** How many checkpoints were declined because a member could not be reached. */
  public int declinedCheckpoints() {
    return declined;
  }

  /** How many of them when members had been told to flush. */
  public int declinedLate() {
    return declinedLate;
  }

  /** How many steps it has come. */
  public long steps() {
    return step;
  }

  /** Whether no checkpoint begins any more, and nothing fails. */
  public boolean isCalmForGood() {
    return step >= TROUBLED_STEPS;
  }

  public int failures() {
    return failures;
  }

  // ---- one step --------------------------------------------------------------------------------

  private boolean step() throws Exception {
    step++;
    if (step < TROUBLED_STEPS && random.nextDouble() < rates.failure()) {
      fail();
      return true;
    }
    isolations.forEach(isolation -> isolation.step(isolated));
    if (step < TROUBLED_STEPS && random.nextDouble() < rates.isolation()) {
      int rank = random.nextInt(ranks);
      if (!isolated.remove(rank)) {
        isolated.add(rank);
      }
    }
    if (!checkpointRunning
        && random.nextDouble() < checkpointRates().checkpoint()
        && step < TROUBLED_STEPS) {
      beginCheckpoint();
      return true;
    }
    if (checkpointRunning && !aborted && random.nextDouble() < checkpointRates().abort()) {
      abort();
      return true;
    }
    cutAndHeal();
    List<Runnable> possible = possible();
    if (possible.isEmpty()) {
      return timePasses();
    }
    possible.get(random.nextInt(possible.size())).run();
    return true;
  }

  /** Nothing happens until something that is under way has ended; false if nothing is. */
  private boolean timePasses() {
    long next = delayed().mapToLong(DelayedQueue::nextStep).min().orElse(Long.MAX_VALUE);
    if (next < Long.MAX_VALUE) {
      step = Math.max(step, next);
      return true;
    }
    boolean wasCut = network.isCut();
    network.heal();
    return wasCut;
  }

  private void cutAndHeal() {
    if (random.nextDouble() < rates.cut()) {
      network.cut(random.nextInt(ranks), random.nextInt(ranks));
    }
    if (random.nextDouble() < HEAL_RATE) {
      network.heal();
    }
  }

  private Stream<DelayedQueue> delayed() {
    return Stream.of(
            starts.stream(),
            tidings.stream(),
            events.stream(),
            works.stream().flatMap(work -> Stream.of(work.source(), work.computeThread())))
        .flatMap(queues -> queues);
  }

  /** Whether its state is restored: events come from then on. */
  private boolean isRestored(int rank) {
    return starts.get(rank).isEmpty();
  }

  private List<Runnable> possible() {
    List<Runnable> possible = new ArrayList<>();
    List<Runnable> wakeUps = new ArrayList<>();
    if (!coordinatorMails.isEmpty()) {
      possible.add(() -> coordinatorMails.remove().run());
    }
    for (int i = 0; i < ranks; i++) {
      int rank = i;
      addIfDue(tidings.get(rank), possible);
      if (!isRestored(rank)) {
        addIfDue(starts.get(rank), possible);
        continue;
      }
      addIfDue(events.get(rank), possible);
      if (!begun.contains(rank)) {
        continue;
      }
      if (!mails.get(rank).isEmpty()) {
        possible.add(() -> mails.get(rank).remove().run());
      }
      if (barriersReleased && toTrigger.contains(rank) && pendingEvents[rank] == 0) {
        possible.add(() -> trigger(rank));
      }
      for (SimulatedNetwork.Channel channel : network.ready(rank)) {
        possible.add(() -> network.deliver(rank, channel).ifPresent(came -> take(rank, came)));
      }
      if (members.get(rank).awaitsWakeUp()) {
        wakeUps.add(() -> members.get(rank).wakeUp());
      }
    }
    if (possible.isEmpty() || random.nextDouble() < EARLY_WAKE_UP_RATE) {
      possible.addAll(wakeUps);
    }
    for (int rank = 0; rank < ranks; rank++) {
      if (begun.contains(rank)) {
        addIfDue(works.get(rank).source(), possible);
        addIfDue(works.get(rank).computeThread(), possible);
      }
    }
    return possible;
  }

  private void addIfDue(DelayedQueue queue, List<Runnable> possible) {
    if (queue.isDue(step)) {
      possible.add(queue::runNext);
    }
  }

  private void take(int rank, Envelope envelope) {
    if (envelope instanceof Letter letter) {
      mails.get(rank).add(() -> protocols.get(rank).receive(letter));
    } else if (envelope instanceof PathProbe probe) {
      mails.get(rank).add(() -> probes.get(rank).receive(probe));
    }
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  private void beginCheckpoint() {
    long checkpoint = nextCheckpoint++;
    checkpointRunning = true;
    aborted = false;
    barriersReleased = false;
    acknowledged = new TreeMap<>();
    toTrigger = new HashSet<>();
    network.checkpointBegins();
    CompletableFuture<byte[]> future = new CompletableFuture<>();
    coordinatorMails.add(() -> coordinator.checkpointCoordinator(checkpoint, future));
    var unused =
        future.whenComplete(
            (state, failure) -> {
              if (checkpoint != nextCheckpoint - 1 || aborted) {
                return;
              }
              if (failure != null) {
                checkpointRunning = false;
                declined += failure.getMessage().contains("cannot be reached") ? 1 : 0;
              } else {
                coordinatorState = state;
                barriersReleased = true;
                assertThatBarriersWillArrive();
                for (int i = 0; i < ranks; i++) {
                  toTrigger.add(i);
                }
              }
            });
  }

  /** Unless a path was cut after the probes. At the end of training nobody waits for a barrier. */
  private void assertThatBarriersWillArrive() {
    if (network.isCutSinceCheckpointBegan() && !finishing) {
      throw new AssertionError("a checkpoint over a path that is cut");
    }
  }

  private void trigger(int rank) {
    toTrigger.remove(rank);
    long checkpoint = nextCheckpoint - 1;
    network.barrier(rank, checkpoint);
    if (protocols.get(rank).isHeldFor(checkpoint)) {
      members.get(rank).beforeSnapshot();
    }
    if (!aborted) {
      boolean quiet = protocols.get(rank).isHeld() || ended.contains(rank);
      acknowledged.put(rank, members.get(rank).snapshot(quiet));
      mails.get(rank).addFirst(() -> protocols.get(rank).resume(checkpoint));
      releaseEvents(rank);
      if (acknowledged.size() == ranks) {
        lastSnapshots = List.copyOf(acknowledged.values());
        lastCoordinatorState = coordinatorState;
        lastCheckpoint = checkpoint;
        coordinatorMails.add(() -> coordinator.notifyCheckpointComplete(checkpoint));
        checkpointRunning = false;
        completed++;
      }
    } else if (toTrigger.isEmpty()) {
      checkpointRunning = false;
    }
  }

  private void releaseEvents(int rank) {
    pendingEvents[rank] += heldBack.get(rank).size();
    heldBack.get(rank).forEach(event -> deliver(rank, event));
    heldBack.get(rank).clear();
  }

  private void deliver(int rank, Runnable event) {
    events.get(rank).addMessage(step, durations.draw(Kind.EVENT), event);
  }

  private void abort() {
    aborted = true;
    for (int i = 0; i < ranks; i++) {
      releaseEvents(i);
    }
    abortions++;
    abortionsAfterAnEnd += ended.isEmpty() ? 0 : 1;
    long checkpoint = nextCheckpoint - 1;
    coordinatorMails.add(() -> coordinator.notifyCheckpointAborted(checkpoint));
    if (toTrigger.isEmpty()) {
      checkpointRunning = false;
    }
  }

  // ---- failures --------------------------------------------------------------------------------

  private void fail() throws Exception {
    failures++;
    coordinatorMails.clear();
    for (int i = 0; i < ranks; i++) {
      coordinator.executionAttemptFailed(i, attempt, new Exception("simulated"));
    }
    attempt++;
    if (random.nextBoolean()) {
      for (int i = 0; i < ranks; i++) {
        coordinator.subtaskReset(i, lastCheckpoint);
      }
    } else {
      coordinator.resetToCheckpoint(lastCheckpoint, lastCoordinatorState);
    }
    begin();
  }

  private void begin() {
    checkpointRunning = false;
    aborted = false;
    barriersReleased = false;
    toTrigger = new HashSet<>();
    members.clear();
    protocols.clear();
    probes.clear();
    works.clear();
    starts.clear();
    events.clear();
    tidings.clear();
    finishing = false;
    network = new SimulatedNetwork(ranks);
    mails.clear();
    heldBack.clear();
    Arrays.fill(pendingEvents, 0);
    coordinatorMails.clear();
    ended.clear();
    begun.clear();
    for (int i = 0; i < ranks; i++) {
      mails.add(new ArrayDeque<>());
      heldBack.add(new ArrayDeque<>());
    }
    for (int i = 0; i < ranks; i++) {
      int rank = i;
      works.add(new SimulatedWork(durations, () -> step));
      starts.add(new DelayedQueue());
      events.add(new DelayedQueue());
      tidings.add(new DelayedQueue());
      SimulatedMember member = factory.create(rank, new Port(rank), works.get(rank), lastSnapshots);
      members.add(member);
      Port port = new Port(rank);
      protocols.add(new HoldProtocol(member, port::tell));
      probes.add(new PathProbes(rank, ranks, port::carry, port::tell));
      int current = attempt;
      // Flink says so before the member's state is restored.
      tidings
          .get(rank)
          .addMessage(
              step,
              durations.draw(Kind.EVENT),
              () -> coordinator.executionAttemptReady(rank, current, new Gateway(rank)));
      starts
          .get(rank)
          .addWork(
              step,
              durations.draw(Kind.RESTORE),
              () -> port.tell(new Joined(LEAST_BUFFER_BYTES + ranks - 1 - rank)));
    }
  }

  private final class Port implements LoopPort {
    private final int rank;

    Port(int rank) {
      this.rank = rank;
    }

    @Override
    public void send(Message m) {
      if (isolated.contains(rank) != isolated.contains(m.to())
          || (isolated.contains(rank) && rank != m.to())) {
        return;
      }
      float[] values = m.payload().dense().toArray();
      Message sent = m.withPayload(Payload.of(Slice.view(values, 0, values.length)));
      carry(new Letter(protocols.get(rank).incarnation(), sent));
    }

    void carry(Envelope envelope) {
      network.carry(rank, envelope);
    }

    @Override
    public void tell(ToCoordinator event) {
      if (ended.size() == ranks && event instanceof LoopEvent.ToArbiter) {
        // Links are tried for ever, and nobody has to know any more.
        return;
      }
      int current = attempt;
      tidings
          .get(rank)
          .addMessage(
              step,
              durations.draw(Kind.EVENT),
              () -> {
                try {
                  coordinator.handleEventFromOperator(rank, current, event);
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              });
    }

    @Override
    public void roundsAdvanced() {
      protocols.get(rank).roundsAdvanced();
    }

    @Override
    public void end() {
      ended.add(rank);
      tell(new LoopEvent.Ended());
    }
  }

  private final class Gateway implements OperatorCoordinator.SubtaskGateway {
    private final int rank;

    Gateway(int rank) {
      this.rank = rank;
    }

    private void handle(ToMember event) {
      if (ended.contains(rank)) {
        throw new AssertionError(
            event + " for rank " + rank + ", which has ended: Flink restarts the job");
      }
      pendingEvents[rank]--;
      if (event instanceof Begin begin) {
        begin(begin);
      } else if (!begun.contains(rank)) {
        throw new AssertionError(event + " for rank " + rank + ", which has not begun");
      } else if (event instanceof ProbePaths probe) {
        probes.get(rank).send(probe.checkpoint());
      } else {
        protocols.get(rank).handle(event);
      }
    }

    private void begin(Begin event) {
      if (event.bufferBytes() != LEAST_BUFFER_BYTES || !begun.add(rank)) {
        throw new AssertionError(event + " for rank " + rank + "; begun: " + begun);
      }
      new Port(rank).tell(new LoopEvent.Begun());
      members.get(rank).start();
    }

    @Override
    public CompletableFuture<Acknowledge> sendEvent(OperatorEvent event) {
      finishing |= event instanceof Finish;
      if (event instanceof HoldAfter hold) {
        lastHoldAfter = hold.checkpoint();
      } else if (event instanceof CarryOn carryOn && rank == 0) {
        declinedLate += carryOn.checkpoint() == lastHoldAfter ? 1 : 0;
      }
      boolean waits = barriersReleased && !aborted && toTrigger.contains(rank);
      Runnable handling = () -> handle((ToMember) event);
      if (waits) {
        heldBack.get(rank).add(handling);
      } else {
        pendingEvents[rank]++;
        deliver(rank, handling);
      }
      return CompletableFuture.completedFuture(Acknowledge.get());
    }

    @Override
    public ExecutionAttemptID getExecution() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int getSubtask() {
      return rank;
    }
  }
}
