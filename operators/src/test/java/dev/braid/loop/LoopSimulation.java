package dev.braid.loop;

import dev.braid.exchange.Message;
import dev.braid.loop.Envelope.Letter;
import dev.braid.loop.Envelope.PathProbe;
import dev.braid.loop.LoopEvent.Finish;
import dev.braid.loop.LoopEvent.ProbePaths;
import dev.braid.loop.LoopEvent.ToCoordinator;
import dev.braid.loop.LoopEvent.ToMember;
import dev.braid.vector.Slice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.messages.Acknowledge;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;

/**
 * The loop as Flink drives it, in one thread: the real coordinator and hold protocol of every
 * member, links that deliver in order but at any time, aligned barriers, paths that carry nothing
 * for a while, checkpoints that succeed, are aborted early or late, and failures that restart all
 * members. What happens next is drawn from a seed among all that could.
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

    /** Work that is under way elsewhere and may end now; false if there is none. */
    boolean completeWork();

    /** A time that was asked for has come, if one was. */
    void wakeUp();
  }

  /** Makes a member at its beginning, or from what the last complete checkpoint kept of all. */
  public interface MemberFactory {
    SimulatedMember create(int rank, LoopPort port, List<Object> snapshots);
  }

  /** Time passes where nothing is under way, and seldom before: then time-outs are wrong. */
  private static final double EARLY_WAKE_UP_RATE = 0.002;

  private static final double HEAL_RATE = 0.01;

  private final int ranks;
  private final RandomGenerator random;
  private final MemberFactory factory;
  private final Rates rates;
  private final LoopCoordinator coordinator;

  private final List<SimulatedMember> members = new ArrayList<>();
  private final List<HoldProtocol> protocols = new ArrayList<>();
  private final List<PathProbes> probes = new ArrayList<>();
  private final List<Deque<Runnable>> mails = new ArrayList<>();

  /** Events that were sent before barriers were released come before them. */
  private final int[] pendingEvents;

  /** Flink delivers no event to a worker between a hold and the worker's snapshot. */
  private final List<Deque<Runnable>> heldBack = new ArrayList<>();

  private final Set<Integer> isolated = new HashSet<>();
  private final Deque<Runnable> coordinatorMails = new ArrayDeque<>();
  private final Set<Integer> ended = new HashSet<>();

  private SimulatedNetwork network;
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

  private int completed;
  private int abortions;
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

  /**
   * A simulation at its beginning.
   *
   * @param withoutScore how many members, the last ones, evaluate nothing
   */
  public LoopSimulation(
      int ranks,
      RandomGenerator random,
      OptionalDouble target,
      int withoutScore,
      Rates rates,
      MemberFactory factory) {
    this.ranks = ranks;
    this.pendingEvents = new int[ranks];
    this.random = random;
    this.factory = factory;
    this.rates = rates;
    this.coordinator = new LoopCoordinator(new SimulatedContext(ranks), target, withoutScore);
    coordinator.start();
    begin();
  }

  /** Runs until every member has ended its input, and nobody has anything left to say. */
  public void run(int maxSteps) throws Exception {
    for (int step = 0; ended.size() < ranks || saysMore(); step++) {
      if (step == maxSteps || !step()) {
        throw new AssertionError(
            "stuck after "
                + step
                + " steps, "
                + completed
                + " checkpoints, "
                + abortions
                + " abortions, "
                + failures
                + " failures; ended: "
                + ended);
      }
    }
  }

  private boolean saysMore() {
    return !coordinatorMails.isEmpty() || mails.stream().anyMatch(queue -> !queue.isEmpty());
  }

  public int completedCheckpoints() {
    return completed;
  }

  public int abortedCheckpoints() {
    return abortions;
  }

  public int failures() {
    return failures;
  }

  // ---- one step --------------------------------------------------------------------------------

  private boolean step() throws Exception {
    if (random.nextDouble() < rates.failure()) {
      fail();
      return true;
    }
    if (random.nextDouble() < rates.isolation()) {
      int rank = random.nextInt(ranks);
      if (!isolated.remove(rank)) {
        isolated.add(rank);
      }
    }
    if (!checkpointRunning && random.nextDouble() < rates.checkpoint() && ended.isEmpty()) {
      beginCheckpoint();
      return true;
    }
    if (checkpointRunning && !aborted && random.nextDouble() < rates.abort()) {
      abort();
      return true;
    }
    cutAndHeal();
    List<Runnable> possible = possible();
    if (possible.isEmpty()) {
      return false;
    }
    possible.get(random.nextInt(possible.size())).run();
    return true;
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
    List<Runnable> works = new ArrayList<>();
    List<Runnable> wakeUps = new ArrayList<>();
    if (!coordinatorMails.isEmpty()) {
      possible.add(() -> coordinatorMails.remove().run());
    }
    for (int i = 0; i < ranks; i++) {
      int rank = i;
      if (!mails.get(rank).isEmpty()) {
        possible.add(() -> mails.get(rank).remove().run());
      }
      if (barriersReleased && toTrigger.contains(rank) && pendingEvents[rank] == 0) {
        possible.add(() -> trigger(rank));
      }
      for (SimulatedNetwork.Channel channel : network.ready(rank)) {
        possible.add(() -> network.deliver(rank, channel).ifPresent(came -> take(rank, came)));
      }
      works.add(() -> members.get(rank).completeWork());
      wakeUps.add(() -> members.get(rank).wakeUp());
    }
    if (possible.isEmpty() || random.nextDouble() < EARLY_WAKE_UP_RATE) {
      possible.addAll(wakeUps);
    }
    possible.addAll(works);
    return possible;
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
        checkpointRunning = false;
        completed++;
      }
    } else if (toTrigger.isEmpty()) {
      checkpointRunning = false;
    }
  }

  private void releaseEvents(int rank) {
    pendingEvents[rank] += heldBack.get(rank).size();
    mails.get(rank).addAll(heldBack.get(rank));
    heldBack.get(rank).clear();
  }

  private void abort() {
    aborted = true;
    for (int i = 0; i < ranks; i++) {
      releaseEvents(i);
    }
    abortions++;
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
        coordinator.subtaskReset(i, OperatorCoordinator.NO_CHECKPOINT);
      }
    } else {
      coordinator.resetToCheckpoint(1, lastCoordinatorState);
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
    finishing = false;
    network = new SimulatedNetwork(ranks);
    mails.clear();
    heldBack.clear();
    Arrays.fill(pendingEvents, 0);
    coordinatorMails.clear();
    ended.clear();
    for (int i = 0; i < ranks; i++) {
      mails.add(new ArrayDeque<>());
      heldBack.add(new ArrayDeque<>());
    }
    IntFunction<SimulatedMember> create =
        rank -> factory.create(rank, new Port(rank), lastSnapshots);
    for (int i = 0; i < ranks; i++) {
      int rank = i;
      SimulatedMember member = create.apply(rank);
      members.add(member);
      Port port = new Port(rank);
      protocols.add(new HoldProtocol(member, port::tell));
      probes.add(new PathProbes(rank, ranks, port::carry, port::tell));
      int current = attempt;
      coordinatorMails.add(
          () -> coordinator.executionAttemptReady(rank, current, new Gateway(rank)));
      mails.get(rank).add(member::start);
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
      Slice copy = Slice.view(m.values().toArray(), 0, m.values().length());
      Message sent = m.withValues(copy);
      carry(new Letter(protocols.get(rank).incarnation(), sent));
    }

    void carry(Envelope envelope) {
      network.carry(rank, envelope);
    }

    @Override
    public void tell(ToCoordinator event) {
      int current = attempt;
      coordinatorMails.add(
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
      if (event instanceof ProbePaths probe) {
        probes.get(rank).send(probe.checkpoint());
      } else {
        protocols.get(rank).handle(event);
      }
    }

    @Override
    public CompletableFuture<Acknowledge> sendEvent(OperatorEvent event) {
      finishing |= event instanceof Finish;
      boolean waits = barriersReleased && !aborted && toTrigger.contains(rank);
      pendingEvents[rank] += waits ? 0 : 1;
      (waits ? heldBack : mails).get(rank).add(() -> handle((ToMember) event));
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
