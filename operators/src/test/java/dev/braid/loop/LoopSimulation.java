package dev.braid.loop;

import dev.braid.loop.coordinator.LoopCoordinator;
import dev.braid.loop.coordinator.LoopEvent.CarryOn;
import dev.braid.loop.coordinator.LoopEvent.Finish;
import dev.braid.loop.coordinator.LoopEvent.HoldAfter;
import dev.braid.loop.coordinator.StoppingRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
import java.util.stream.IntStream;
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
  static final int LEAST_BUFFER_BYTES = 4096;

  /** After so many steps nothing fails any more, so that a run that goes on for ever is stuck. */
  private static final long TROUBLED_STEPS = 50_000;

  private final int ranks;
  private final RandomGenerator random;
  private final MemberFactory factory;
  private final Rates rates;
  private Rates ratesAtTheEnd;
  private BooleanSupplier checkpointMoment = () -> false;
  private BooleanSupplier failureMoment = () -> false;
  private boolean eventsBeforeTimers;
  private final Durations durations;
  private final LoopCoordinator coordinator;

  private final List<SimulatedSubtask> subtasks = new ArrayList<>();
  private final Set<Integer> isolated = new HashSet<>();

  private final List<Isolation> isolations = new ArrayList<>();
  private final Deque<Runnable> coordinatorMails = new ArrayDeque<>();

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

  /** Begins a checkpoint whenever something is so, and none is under way. */
  public void checkpointWhen(BooleanSupplier isSo) {
    checkpointMoment = isSo;
  }

  /** Has all members fail whenever something is so. */
  public void failWhen(BooleanSupplier isSo) {
    failureMoment = isSo;
  }

  /**
   * No time passes while an event is under way, or seldom: for members in views that wait for each
   * other in rounds of their own, and so have time pass always. Else they would listen one after
   * the other, and never hear each other. Not for others, of whose time-outs three of five come
   * while an event is under way: so one in a thousand would.
   */
  public void eventsComeBeforeTimers() {
    eventsBeforeTimers = true;
  }

  private boolean isEventUnderWay() {
    return subtasks.stream()
        .anyMatch(task -> !task.toCoordinator().isEmpty() || !task.events().isEmpty());
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
            .formatted(steps, completed, abortions, failures, ended(), isolated)
        + " checkpoint running: %s, released: %s, aborted: %s; means of durations: %s%n%s"
            .formatted(
                checkpointRunning,
                barriersReleased,
                aborted,
                durations,
                subtasks.stream()
                    .map(task -> task.member().toString())
                    .collect(Collectors.joining("\n")));
  }

  private boolean isOver() throws Exception {
    if (!allHaveEnded() || saysMore() || checkpointRunning) {
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
    return !coordinatorMails.isEmpty() || subtasks.stream().anyMatch(SimulatedSubtask::saysMore);
  }

  /** Asked at every step, and most often of the first alone. */
  private boolean allHaveEnded() {
    for (SimulatedSubtask task : subtasks) {
      if (!task.hasEnded()) {
        return false;
      }
    }
    return subtasks.size() == ranks;
  }

  private List<Integer> ended() {
    return IntStream.range(0, subtasks.size())
        .filter(rank -> subtasks.get(rank).hasEnded())
        .boxed()
        .toList();
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
    if (step < TROUBLED_STEPS
        && (random.nextDouble() < rates.failure() || failureMoment.getAsBoolean())) {
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
        && (random.nextDouble() < checkpointRates().checkpoint() || checkpointMoment.getAsBoolean())
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
    long next = Long.MAX_VALUE;
    for (SimulatedSubtask task : subtasks) {
      next = Math.min(next, task.nextStep());
    }
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

  private List<Runnable> possible() {
    List<Runnable> possible = new ArrayList<>();
    List<Runnable> wakeUps = new ArrayList<>();
    if (!coordinatorMails.isEmpty()) {
      possible.add(() -> coordinatorMails.remove().run());
    }
    for (int i = 0; i < ranks; i++) {
      int rank = i;
      SimulatedSubtask task = subtasks.get(rank);
      addIfDue(task.toCoordinator(), possible);
      if (!task.isRestored()) {
        addIfDue(task.start(), possible);
        continue;
      }
      addIfDue(task.events(), possible);
      addIfDue(task.patience(), possible);
      if (!task.hasBegun()) {
        continue;
      }
      if (!task.mailbox().isEmpty()) {
        possible.add(() -> task.mailbox().remove().run());
      }
      if (barriersReleased && toTrigger.contains(rank) && task.mayTrigger()) {
        possible.add(() -> trigger(rank));
      }
      for (SimulatedNetwork.Channel channel : network.ready(rank)) {
        possible.add(() -> network.deliver(rank, channel).ifPresent(task::take));
      }
      if (task.member().awaitsWakeUp()) {
        wakeUps.add(() -> task.member().wakeUp());
      }
    }
    boolean mayTimePass = possible.isEmpty() && !(eventsBeforeTimers && isEventUnderWay());
    if (mayTimePass || random.nextDouble() < EARLY_WAKE_UP_RATE) {
      possible.addAll(wakeUps);
    }
    for (SimulatedSubtask task : subtasks) {
      if (task.hasBegun()) {
        addIfDue(task.work().source(), possible);
        addIfDue(task.work().computeThread(), possible);
      }
    }
    return possible;
  }

  private void addIfDue(DelayedQueue queue, List<Runnable> possible) {
    if (queue.isDue(step)) {
      possible.add(queue::runNext);
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
    SimulatedSubtask task = subtasks.get(rank);
    network.barrier(rank, checkpoint);
    if (task.protocol().isHeldFor(checkpoint)) {
      task.member().beforeSnapshot();
    }
    if (!aborted) {
      boolean quiet = task.protocol().isHeld() || task.hasEnded();
      acknowledged.put(rank, task.member().snapshot(quiet));
      task.mailbox().addFirst(() -> task.protocol().resume(checkpoint));
      task.releaseEvents();
      if (acknowledged.size() == ranks) {
        complete(checkpoint);
      }
    } else if (toTrigger.isEmpty()) {
      checkpointRunning = false;
    }
  }

  private void complete(long checkpoint) {
    lastSnapshots = List.copyOf(acknowledged.values());
    lastCoordinatorState = coordinatorState;
    lastCheckpoint = checkpoint;
    coordinatorMails.add(() -> coordinator.notifyCheckpointComplete(checkpoint));
    checkpointRunning = false;
    completed++;
  }

  private void abort() {
    aborted = true;
    subtasks.forEach(SimulatedSubtask::releaseEvents);
    abortions++;
    abortionsAfterAnEnd += ended().isEmpty() ? 0 : 1;
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
    finishing = false;
    network = new SimulatedNetwork(ranks);
    coordinatorMails.clear();
    subtasks.clear();
    for (int i = 0; i < ranks; i++) {
      int rank = i;
      SimulatedSubtask task =
          new SimulatedSubtask(
              rank,
              ranks,
              attempt,
              new Around(),
              (port, work) -> factory.create(rank, port, work, lastSnapshots));
      subtasks.add(task);
      task.restore(LEAST_BUFFER_BYTES + ranks - 1 - rank);
    }
  }

  // ---- what subtasks see -----------------------------------------------------------------------

  private final class Around implements SimulatedSubtask.Surroundings {

    @Override
    public LoopCoordinator coordinator() {
      return coordinator;
    }

    @Override
    public SimulatedNetwork network() {
      return network;
    }

    @Override
    public Durations durations() {
      return durations;
    }

    @Override
    public long step() {
      return step;
    }

    @Override
    public boolean isLost(int from, int to) {
      return from != to && (isolated.contains(from) || isolated.contains(to));
    }

    @Override
    public boolean allHaveEnded() {
      return LoopSimulation.this.allHaveEnded();
    }

    @Override
    public boolean keepsEventsBack(int rank) {
      return barriersReleased && !aborted && toTrigger.contains(rank);
    }

    @Override
    public void told(int rank, OperatorEvent event) {
      finishing |= event instanceof Finish;
      if (event instanceof HoldAfter hold) {
        lastHoldAfter = hold.checkpoint();
      } else if (event instanceof CarryOn carryOn && rank == 0) {
        declinedLate += carryOn.checkpoint() == lastHoldAfter ? 1 : 0;
      }
    }
  }
}
