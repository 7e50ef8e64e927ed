package dev.braid.loop.coordinator;

import dev.braid.exchange.membership.Arbiter;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage;
import dev.braid.loop.coordinator.LoopEvent.Begin;
import dev.braid.loop.coordinator.LoopEvent.Begun;
import dev.braid.loop.coordinator.LoopEvent.CannotHold;
import dev.braid.loop.coordinator.LoopEvent.CountRounds;
import dev.braid.loop.coordinator.LoopEvent.Done;
import dev.braid.loop.coordinator.LoopEvent.Ended;
import dev.braid.loop.coordinator.LoopEvent.EpochScore;
import dev.braid.loop.coordinator.LoopEvent.FirstRound;
import dev.braid.loop.coordinator.LoopEvent.Frozen;
import dev.braid.loop.coordinator.LoopEvent.Held;
import dev.braid.loop.coordinator.LoopEvent.HoldDue;
import dev.braid.loop.coordinator.LoopEvent.InputEnded;
import dev.braid.loop.coordinator.LoopEvent.InputIsOver;
import dev.braid.loop.coordinator.LoopEvent.Joined;
import dev.braid.loop.coordinator.LoopEvent.PathsOpen;
import dev.braid.loop.coordinator.LoopEvent.Recovered;
import dev.braid.loop.coordinator.LoopEvent.Resumed;
import dev.braid.loop.coordinator.LoopEvent.RoundsCounted;
import dev.braid.loop.coordinator.LoopEvent.StoodStill;
import dev.braid.loop.coordinator.LoopEvent.ToArbiter;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToRank;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Decides for all members of a loop. The loop is held for checkpoints ({@link CheckpointHolds}). An
 * {@link Arbiter} decides which members take part. The scores of all members decide whether
 * training stops ({@link EpochVerdicts}). The job ends when all members are done.
 *
 * <p>The coordinator is a state machine without Flink, threads or a clock: it acts only through its
 * {@link CoordinatorGateway} and the receivers of outcomes. All calls come from one thread.
 */
public final class Coordinator {

  /** Number of a checkpoint that does not exist: members begin again. The number is Flink's. */
  public static final long NO_CHECKPOINT = -1;

  private final int size;
  private final int withoutScore;
  private final CoordinatorGateway gateway;
  private final EpochVerdicts verdicts;
  private final RecoveryWatch recovery;

  private MemberTable members;
  private BufferAgreement buffers;

  /** Numbers of the members' feedback edges. */
  private long[] edges;

  private InputEnds inputEnds;
  private Arbiter arbiter;
  private CheckpointHolds holds;
  private long doneRounds;

  /** Whether all members ever ran together, in this job or in the one that it was restored from. */
  private boolean hasRun;

  /**
   * Creates the coordinator of a loop that has not begun.
   *
   * @param size number of members
   * @param withoutScore number of members without a score: the last ones
   */
  public Coordinator(int size, StoppingRule rule, int withoutScore, CoordinatorGateway gateway) {
    this.size = size;
    this.withoutScore = withoutScore;
    this.gateway = gateway;
    this.verdicts = new EpochVerdicts(rule);
    this.recovery = new RecoveryWatch(gateway::nowMillis);
    expectMembers();
  }

  /** Expects all members to be deployed, and knows nothing of them yet. */
  private void expectMembers() {
    members = new MemberTable(size, gateway);
    buffers = new BufferAgreement(size);
    edges = new long[size];
    inputEnds = new InputEnds(size);
    arbiter = new Arbiter(View.all(size, 0), this::mayStop, this::send);
    holds = new CheckpointHolds(members, arbiter, verdicts::save, gateway, this::actIfDue);
    doneRounds = 0;
  }

  // ---- checkpoints ---------------------------------------------------------------------------

  /** Begins a checkpoint. Checkpoints begin in the order of their numbers. */
  public void checkpoint(long checkpoint, HoldOutcome outcome) {
    LoopHold hold = new LoopHold(checkpoint, outcome);
    if (members.areFinishing()) {
      holds.add(hold);
      passIfEmpty();
    } else if (!members.allBegun()) {
      hold.fail("not all " + size + " workers are running");
    } else {
      holds.begin(hold);
    }
  }

  /** Handles a checkpoint that was aborted. */
  public void aborted(long checkpoint) {
    holds.aborted(checkpoint);
  }

  /** Handles a checkpoint that is complete. */
  public void completed(long checkpoint) {
    verdicts.completed(checkpoint);
  }

  /** Cancels all checkpoints, as the job ends. */
  public void close() {
    holds.failAll("the job ends");
  }

  /** Continues after a hold or a change of views: actions that waited for it may be due. */
  private void actIfDue() {
    finishIfAllDone();
    arbiter.stopIfDue();
    holds.next();
  }

  // ---- members -------------------------------------------------------------------------------

  /** Handles an event of a member. Events of an attempt that is over are ignored. */
  public void handle(int subtask, int attempt, ToCoordinator event) {
    if (!members.isCurrent(subtask, attempt)) {
      return;
    }
    if (event instanceof Joined joined) {
      edges[subtask] = joined.edge();
      buffers.add(subtask, joined.bufferBytes()).ifPresent(this::begin);
    } else if (event instanceof StoodStill stoodStill) {
      recovery.stoodStill(stoodStill.completedRounds(), stoodStill.forMillis());
    } else if (event instanceof FirstRound first) {
      recovery.firstRound(first.completedRounds()).ifPresent(all -> recovered(subtask, all));
    } else if (event instanceof PathsOpen open) {
      holds.pathsOpen(subtask, open);
    } else if (event instanceof HoldDue due) {
      holds.holdDue(subtask, due);
    } else if (event instanceof Frozen frozen) {
      holds.frozen(subtask, frozen);
    } else if (event instanceof Held held) {
      holds.held(subtask, held);
    } else if (event instanceof CannotHold cannotHold) {
      holds.cannotHold(cannotHold);
    } else if (event instanceof Resumed) {
      members.resumed(subtask);
      finishIfAllDone();
    } else if (event instanceof EpochScore score) {
      score(subtask, score);
    } else if (event instanceof InputEnded) {
      if (inputEnds.ended(subtask)) {
        members.sendToAll(new CountRounds());
      }
    } else if (event instanceof RoundsCounted counted) {
      inputEnds
          .counted(subtask, counted.rounds())
          .ifPresent(rounds -> members.sendToAll(new InputIsOver(rounds)));
    } else if (event instanceof Done done) {
      done(subtask, done);
    } else if (event instanceof Ended) {
      members.ended(subtask);
      passIfEmpty();
    } else if (event instanceof Begun) {
      members.begun(subtask);
      hasRun |= members.allBegun();
    } else if (event instanceof ToArbiter toArbiter) {
      if (!members.areFinishing() && members.allBegun()) {
        // Otherwise there is nothing left to decide, or the missing rank is still being restored,
        // which is no reason to continue without it. A rank that misses another one reports so
        // again.
        arbiter.receive(subtask, toArbiter.message());
      }
    } else {
      throw new IllegalArgumentException("unknown event from worker " + subtask + ": " + event);
    }
  }

  private void recovered(int subtask, List<Recovery> all) {
    gateway.log(Level.INFO, "training resumes after a failure: " + all.get(all.size() - 1));
    members.send(subtask, new Recovered(all));
  }

  private void begin(int bufferBytes) {
    buffers.difference().ifPresent(news -> gateway.log(Level.INFO, news));
    recovery.restored();
    members.sendToAll(new Begin(bufferBytes, Arrays.stream(edges).boxed().toList()));
  }

  private void finishIfAllDone() {
    // During a hold, not all members have answered. A held member may also have to be resumed. That
    // takes an event to all members, which is impossible when some of them have ended.
    boolean isQuiet = !holds.isUnderWay() && !arbiter.isStopping() && members.noneHeld();
    if (!members.areFinishing() && isQuiet && members.areDone(arbiter.view().members())) {
      members.finish(doneRounds);
      holds.end();
      passIfEmpty();
    }
  }

  /**
   * Lets checkpoints pass when the loop is empty for good. An excluded member still drops its
   * batches after it was asked to finish, and cannot be restored to that state.
   */
  private void passIfEmpty() {
    boolean nobodyIsLeftOut = arbiter.view().size() == size;
    if (members.areFinishing() && (nobodyIsLeftOut || members.allEnded())) {
      holds.passAll();
    }
  }

  /** Handles the deployment of a member's task, which is about to restore its state. */
  public void deployed(int subtask, int attempt) {
    members.ready(subtask, attempt);
    recovery.deployed();
  }

  /** Handles the failure of a member's task. */
  public void failed(int subtask, int attempt) {
    members.failed(subtask, attempt);
    recovery.failed();
    holds.failAll("worker " + subtask + " failed");
  }

  /** Returns whether all members ever ran together, also in the job that was restored. */
  public boolean hasRun() {
    return hasRun;
  }

  /**
   * Handles the restart of members from a checkpoint that was taken, or restored, here. They are
   * one region: all of them restart, and this method is called once for each.
   *
   * @param checkpoint its number, or {@link #NO_CHECKPOINT}
   */
  public void goBackTo(long checkpoint) {
    restart();
    verdicts.goBackTo(checkpoint);
  }

  /**
   * Handles the restart of the job from a checkpoint.
   *
   * @param state state of the coordinator in the checkpoint; empty for a beginning
   */
  public void restore(long checkpoint, Optional<byte[]> state) throws IOException {
    restart();
    hasRun |= state.isPresent();
    verdicts.restore(checkpoint, state);
  }

  private void restart() {
    holds.failAll("workers restart");
    verdicts.forgetScores();
    expectMembers();
  }

  // ---- views -----------------------------------------------------------------------------------

  private boolean mayStop() {
    return members.allBegun() && holds.viewMayChange() && !members.areFinishing();
  }

  private void send(ViewMessage.ToRank message) {
    members.sendToAll(new ToRank(message));
    if (message instanceof ViewMessage.Enter enter) {
      View view = enter.view();
      gateway.log(Level.INFO, "workers " + view.members() + " continue in view " + view.number());
      members.clearDone();
      doneRounds = 0;
      holds.enter(view);
      verdicts.forgetScores();
      actIfDue();
    }
  }

  // ----------------------------------------------------------------------------------------------

  /**
   * Adds a score, if it is of the present view. After a change of views, a member may be set back
   * before the epoch's end, and the other members report their scores again.
   */
  private void score(int subtask, EpochScore score) {
    if (score.view() == arbiter.view().number()) {
      // Servers have no score, and are the last members.
      int workers = size - withoutScore;
      List<Integer> scorers =
          arbiter.view().members().stream().filter(rank -> rank < workers).toList();
      tell(verdicts.score(subtask, scorers, score.withAbsentBelow(workers)));
    }
  }

  /**
   * Notes that a member is done, if the report is of the present view. In another view members may
   * have more to do, for excluded members.
   */
  private void done(int subtask, Done done) {
    if (done.view() == arbiter.view().number()) {
      members.done(subtask);
      doneRounds = Math.max(doneRounds, done.completedRounds());
      finishIfAllDone();
    }
  }

  private void tell(Optional<EpochVerdicts.Addressed> verdict) {
    verdict.ifPresent(it -> it.addressees().forEach(to -> members.send(to, it.event())));
  }
}
