package dev.braid.loop.coordinator;

import dev.braid.exchange.membership.Arbiter;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage;
import dev.braid.loop.coordinator.LoopEvent.BarrierComes;
import dev.braid.loop.coordinator.LoopEvent.Begin;
import dev.braid.loop.coordinator.LoopEvent.Begun;
import dev.braid.loop.coordinator.LoopEvent.CannotHold;
import dev.braid.loop.coordinator.LoopEvent.CountRounds;
import dev.braid.loop.coordinator.LoopEvent.Done;
import dev.braid.loop.coordinator.LoopEvent.Ended;
import dev.braid.loop.coordinator.LoopEvent.EpochScore;
import dev.braid.loop.coordinator.LoopEvent.Finish;
import dev.braid.loop.coordinator.LoopEvent.FirstRound;
import dev.braid.loop.coordinator.LoopEvent.Freeze;
import dev.braid.loop.coordinator.LoopEvent.Frozen;
import dev.braid.loop.coordinator.LoopEvent.Held;
import dev.braid.loop.coordinator.LoopEvent.HoldAfter;
import dev.braid.loop.coordinator.LoopEvent.HoldDue;
import dev.braid.loop.coordinator.LoopEvent.InputEnded;
import dev.braid.loop.coordinator.LoopEvent.InputIsOver;
import dev.braid.loop.coordinator.LoopEvent.Joined;
import dev.braid.loop.coordinator.LoopEvent.PathsOpen;
import dev.braid.loop.coordinator.LoopEvent.ProbePaths;
import dev.braid.loop.coordinator.LoopEvent.Recovered;
import dev.braid.loop.coordinator.LoopEvent.Resume;
import dev.braid.loop.coordinator.LoopEvent.ResumeDeclined;
import dev.braid.loop.coordinator.LoopEvent.Resumed;
import dev.braid.loop.coordinator.LoopEvent.RoundsCounted;
import dev.braid.loop.coordinator.LoopEvent.StoodStill;
import dev.braid.loop.coordinator.LoopEvent.ToArbiter;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.coordinator.LoopEvent.ToRank;
import dev.braid.loop.coordinator.LoopHold.Stage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.apache.flink.util.FlinkException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties the loop before a checkpoint's barriers may come, decides with all members' scores
 * whether training stops, and ends the job when all members are done.
 *
 * <p>A checkpoint begins when it does not keep rounds from ever completing ({@link HoldPacing}),
 * and when every member can reach every other ({@code PathProbes}). Until then training continues,
 * and Flink may abort the checkpoint. The loop is held in two steps. First every member freezes and
 * reports the number of rounds that it has completed. Then all members complete the largest of
 * these numbers, with messages that are already sent, and roll back what is beyond. (Continuing to
 * the largest number of rounds <em>begun</em> would need no roll-back, but would wait for
 * gradients, and for stragglers.) The sequence is not cut short: if the checkpoint is aborted
 * meanwhile, all members are held first and then resumed. However, if members flush and one of them
 * is unreachable, not all would be held before it rejoins. The checkpoint is then declined, and all
 * members continue from where they are. Only time-outs show that a rank is unreachable, after a
 * second or two; a checkpoint that begins in this time holds the others until then.
 *
 * <p>The coordinator also hosts the {@link Arbiter} of views. The round to hold after is that of
 * the view's members; excluded members are held when all members of the view are held. A view may
 * change before a hold begins, or while members are on their way to its round, which they may not
 * reach without the change. In the second case the new round is the one in which the new view
 * begins. At other times the change waits. (After a hold Flink delivers events to a worker only
 * when the worker has taken its snapshot.)
 *
 * <p>Flink calls all methods in the job's main thread.
 */
public final class LoopCoordinator implements OperatorCoordinator {

  private static final Logger LOG = LoggerFactory.getLogger(LoopCoordinator.class);

  private final IntSupplier parallelism;
  private final Consumer<Throwable> failJob;
  private final EpochVerdicts verdicts;

  /** Number of members without a score: the last ones. */
  private final int withoutScore;

  private final CheckpointQueue queue = new CheckpointQueue();
  private final RecoveryWatch recovery;

  private MemberTable members;
  private BufferAgreement buffers;
  private InputEnds inputEnds;
  private LatestAnswers openPaths;
  private Arbiter arbiter;
  private Declines declines = new Declines();
  private HoldPacing pacing = new HoldPacing();
  private Optional<LoopHold> holding = Optional.empty();
  private long doneRounds;
  private boolean finishing;
  private boolean started;

  /**
   * Reason why the state of a checkpoint cannot be restored, until the job ends for that reason.
   */
  private Optional<Throwable> unreadable = Optional.empty();

  /** Whether all members ever ran together, in this job or in the one that it was restored from. */
  private boolean hasRun;

  /** Creates the coordinator of a loop that never fails its job. */
  public LoopCoordinator(IntSupplier parallelism, StoppingRule rule, int withoutScore) {
    this(parallelism, ignored -> {}, () -> 0, rule, withoutScore);
  }

  /**
   * Creates the coordinator of a loop that has not begun.
   *
   * @param failJob receives the reason for which Flink must end the job
   * @param clockMillis milliseconds since 1970, to measure failures
   * @param withoutScore number of members without a score: the last ones
   */
  public LoopCoordinator(
      IntSupplier parallelism,
      Consumer<Throwable> failJob,
      LongSupplier clockMillis,
      StoppingRule rule,
      int withoutScore) {
    this.parallelism = parallelism;
    this.failJob = failJob;
    this.recovery = new RecoveryWatch(clockMillis);
    this.withoutScore = withoutScore;
    this.verdicts = new EpochVerdicts(rule);
    this.members = new MemberTable(0);
    this.buffers = new BufferAgreement(0);
    this.inputEnds = new InputEnds(0);
    this.openPaths = new LatestAnswers(0);
    this.arbiter = newArbiter(1);
  }

  private Arbiter newArbiter(int ranks) {
    return new Arbiter(View.all(ranks, 0), this::mayStop, this::send);
  }

  @Override
  public void start() {
    reset();
    started = true;
    unreadable.ifPresent(failJob);
  }

  @Override
  public void close() {
    failHolding("the job ends");
  }

  // ---- checkpoints ---------------------------------------------------------------------------

  @Override
  public void checkpointCoordinator(long checkpoint, CompletableFuture<byte[]> future) {
    if (finishing) {
      queue.add(new LoopHold(checkpoint, future));
      passIfEmpty();
    } else if (!members.allBegun()) {
      future.completeExceptionally(
          new FlinkException("not all " + members.size() + " workers are running"));
    } else {
      queue.awaitRound(new LoopHold(checkpoint, future));
      pacing.question(checkpoint).ifPresentOrElse(this::sendToAll, () -> probe(checkpoint));
    }
  }

  private void probe(long checkpoint) {
    if (queue.probe(checkpoint)) {
      sendToAll(new ProbePaths(checkpoint));
    }
  }

  private void pathsOpen(int subtask, PathsOpen event) {
    if (openPaths.areAllWith(subtask, event.checkpoint())) {
      queue.pathsOpen(event.checkpoint());
      holdNext();
    }
  }

  private void holdNext() {
    boolean isBusy = holding.isPresent() || arbiter.isStopping();
    if (isBusy || queue.isEmpty() || members.areDone(arbiter.view().members())) {
      // If all members are done, the end of the job is next, and lets checkpoints pass.
      return;
    }
    LoopHold next = queue.next();
    holding = Optional.of(next);
    members.clearAnswers();
    sendToAll(new Freeze(next.checkpoint()));
  }

  private void holdDue(int subtask, HoldDue event) {
    if (arbiter.view().contains(subtask)) {
      probe(event.checkpoint());
    }
  }

  private void frozen(int subtask, Frozen event) {
    LoopHold current = holding.orElse(null);
    if (current == null || current.checkpoint() != event.checkpoint()) {
      return;
    }
    if (arbiter.view().contains(subtask)) {
      current.raiseTo(event.completedRounds());
    }
    if (members.answered(subtask)) {
      members.clearAnswers();
      current.become(Stage.MEMBERS);
      holdMembers(current);
      arbiter.stopIfDue();
    }
  }

  private void holdMembers(LoopHold current) {
    HoldAfter event = new HoldAfter(current.checkpoint(), current.rounds());
    arbiter.view().members().forEach(member -> send(member, event));
    holdLeftOut(current);
  }

  /** Holds the excluded members, when all members of the view are held. */
  private void holdLeftOut(LoopHold current) {
    boolean isDue = current.stage() == Stage.MEMBERS && !arbiter.isStopping();
    if (isDue && members.haveAnswered(arbiter.view().members())) {
      current.become(Stage.LEFT_OUT);
      HoldAfter event = new HoldAfter(current.checkpoint(), current.rounds());
      for (int subtask = 0; subtask < members.size(); subtask++) {
        if (!arbiter.view().contains(subtask)) {
          send(subtask, event);
        }
      }
    }
  }

  private void held(int subtask, Held event) {
    LoopHold current = holding.orElse(null);
    if (current == null || current.checkpoint() != event.checkpoint()) {
      return;
    }
    members.held(subtask);
    boolean all = members.answered(subtask);
    holdLeftOut(current);
    if (!all || current.stage() != Stage.LEFT_OUT) {
      return;
    }
    holding = Optional.empty();
    LOG.debug(
        "loop held after {} rounds for checkpoint {}", current.rounds(), current.checkpoint());
    pacing.held(current.rounds());
    declines.held(current.checkpoint()).ifPresent(LOG::info);
    if (current.isAborted()) {
      resumeHeld(current.checkpoint());
    } else {
      // This must precede the pass: from then on Flink holds events back.
      sendToAll(new BarrierComes());
      current.pass(verdicts.save(current.checkpoint()));
    }
    actIfDue();
  }

  private void cannotHold(CannotHold event) {
    LoopHold current = holding.orElse(null);
    if (current == null || current.checkpoint() != event.checkpoint()) {
      return;
    }
    holding = Optional.empty();
    sendToAll(new ResumeDeclined(current.checkpoint()));
    declines.declined(current.checkpoint(), event.unreachable()).ifPresent(LOG::warn);
    current.fail(Declines.failure(event.unreachable()));
    actIfDue();
  }

  /** Continues after a hold or a change of views: actions that waited for it may be due. */
  private void actIfDue() {
    finishIfAllDone();
    arbiter.stopIfDue();
    holdNext();
  }

  @Override
  public void notifyCheckpointAborted(long checkpoint) {
    if (queue.remove(checkpoint)) {
      return;
    }
    if (holding.isPresent() && holding.get().checkpoint() == checkpoint) {
      holding.get().abort();
    } else {
      // All members were held; those whose barrier has not arrived yet still are.
      resumeHeld(checkpoint);
    }
  }

  private void resumeHeld(long checkpoint) {
    for (int subtask = 0; subtask < members.size(); subtask++) {
      if (members.isHeld(subtask)) {
        send(subtask, new Resume(checkpoint));
      }
    }
  }

  @Override
  public void notifyCheckpointComplete(long checkpoint) {
    verdicts.completed(checkpoint);
  }

  // ---- members -------------------------------------------------------------------------------

  @Override
  public void handleEventFromOperator(int subtask, int attempt, OperatorEvent event)
      throws Exception {
    if (!members.isCurrent(subtask, attempt)) {
      return;
    }
    if (event instanceof Joined joined) {
      buffers.add(subtask, joined.bufferBytes()).ifPresent(this::begin);
    } else if (event instanceof StoodStill stoodStill) {
      recovery.stoodStill(stoodStill.completedRounds(), stoodStill.forMillis());
    } else if (event instanceof FirstRound first) {
      recovery.firstRound(first.completedRounds()).ifPresent(all -> recovered(subtask, all));
    } else if (event instanceof PathsOpen open) {
      pathsOpen(subtask, open);
    } else if (event instanceof HoldDue due) {
      holdDue(subtask, due);
    } else if (event instanceof Frozen frozen) {
      frozen(subtask, frozen);
    } else if (event instanceof Held held) {
      held(subtask, held);
    } else if (event instanceof CannotHold cannotHold) {
      cannotHold(cannotHold);
    } else if (event instanceof Resumed) {
      members.resumed(subtask);
      finishIfAllDone();
    } else if (event instanceof EpochScore score) {
      score(subtask, score);
    } else if (event instanceof InputEnded) {
      if (inputEnds.ended(subtask)) {
        sendToAll(new CountRounds());
      }
    } else if (event instanceof RoundsCounted counted) {
      inputEnds
          .counted(subtask, counted.rounds())
          .ifPresent(rounds -> sendToAll(new InputIsOver(rounds)));
    } else if (event instanceof Done done) {
      done(subtask, done);
    } else if (event instanceof Ended) {
      members.ended(subtask);
      passIfEmpty();
    } else if (event instanceof Begun) {
      members.begun(subtask);
      hasRun |= members.allBegun();
    } else if (event instanceof ToArbiter toArbiter) {
      if (!finishing && members.allBegun()) {
        // Otherwise there is nothing left to decide, or the missing rank is still being restored,
        // which is no reason to continue without it. A rank that misses another one reports so
        // again.
        arbiter.receive(subtask, toArbiter.message());
      }
    } else {
      throw new FlinkException("unknown event from worker " + subtask + ": " + event);
    }
  }

  private void recovered(int subtask, List<Recovery> all) {
    LOG.info("training resumes after a failure: {}", all.get(all.size() - 1));
    send(subtask, new Recovered(all));
  }

  private void begin(int bufferBytes) {
    recovery.restored();
    sendToAll(new Begin(bufferBytes));
  }

  private void finishIfAllDone() {
    // During a hold, not all members have answered. A held member may also have to be resumed. That
    // takes an event to all members, which is impossible when some of them have ended.
    boolean isQuiet = holding.isEmpty() && !arbiter.isStopping() && members.noneHeld();
    if (!finishing && isQuiet && members.areDone(arbiter.view().members())) {
      sendToAll(new Finish(doneRounds));
      finishing = true;
      queue.stopProbing();
      passIfEmpty();
    }
  }

  /**
   * Lets checkpoints pass when the loop is empty for good. An excluded member still drops its
   * batches after it was asked to finish, and cannot be restored to that state.
   */
  private void passIfEmpty() {
    boolean nobodyIsLeftOut = arbiter.view().size() == members.size();
    if (finishing && (nobodyIsLeftOut || members.allEnded())) {
      queue.passAll(verdicts::save);
    }
  }

  @Override
  public void executionAttemptReady(int subtask, int attempt, SubtaskGateway gateway) {
    members.ready(subtask, attempt, gateway);
    recovery.deployed();
  }

  @Override
  public void executionAttemptFailed(int subtask, int attempt, Throwable reason) {
    members.failed(subtask, attempt);
    recovery.failed();
    failHolding("worker " + subtask + " failed");
    // Flink gives no reason for a worker that is only restarted with others.
    Optional.ofNullable(reason)
        .filter(known -> !hasRun)
        .flatMap(TooFewBuffersException::in)
        .ifPresent(failJob);
  }

  @Override
  public void subtaskReset(int subtask, long checkpoint) {
    // Workers are one pipelined region: all of them are reset, one after the other.
    reset();
    verdicts.goBackTo(checkpoint);
  }

  @Override
  public void resetToCheckpoint(long checkpoint, byte[] state) throws Exception {
    reset();
    hasRun |= state != null;
    try {
      verdicts.restore(checkpoint, Optional.ofNullable(state));
    } catch (IOException e) {
      if (started) {
        throw e;
      }
      // Flink does not end a job that fails before it runs; such a job hangs.
      unreadable = Optional.of(new SuppressRestartsException(e));
    }
  }

  private void reset() {
    failHolding("workers restart");
    finishing = false;
    doneRounds = 0;
    members = new MemberTable(parallelism.getAsInt());
    buffers = new BufferAgreement(members.size());
    inputEnds = new InputEnds(members.size());
    openPaths = new LatestAnswers(members.size());
    arbiter = newArbiter(members.size());
    verdicts.forgetScores();
    declines = new Declines();
    pacing = new HoldPacing();
  }

  private void failHolding(String reason) {
    holding.ifPresent(queue::add);
    holding = Optional.empty();
    queue.failAll(reason);
  }

  // ---- views -----------------------------------------------------------------------------------

  private boolean mayStop() {
    boolean isHolding = holding.isPresent() && holding.get().stage() != Stage.MEMBERS;
    return members.allBegun() && !isHolding && !finishing;
  }

  private void send(ViewMessage.ToRank message) {
    sendToAll(new ToRank(message));
    if (message instanceof ViewMessage.Enter enter) {
      LOG.info("workers {} continue in view {}", enter.view().members(), enter.view().number());
      members.clearDone();
      doneRounds = 0;
      holding.ifPresent(current -> holdAnew(current, enter.view()));
      verdicts.forgetScores();
      actIfDue();
    }
  }

  private void holdAnew(LoopHold current, View view) {
    if (current.stage() == Stage.MEMBERS) {
      current.holdAfter(view.round());
      members.clearAnswers();
      holdMembers(current);
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
      int workers = members.size() - withoutScore;
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
    verdict.ifPresent(it -> it.addressees().forEach(to -> send(to, it.event())));
  }

  private void sendToAll(ToMember event) {
    for (int subtask = 0; subtask < members.size(); subtask++) {
      send(subtask, event);
    }
  }

  private void send(int subtask, ToMember event) {
    if (finishing) {
      // Finish is the last event that members receive: an event for one that has ended would make
      // Flink restart the job.
      return;
    }
    members
        .gateway(subtask)
        .ifPresent(
            gateway -> {
              // Flink fails the task if an event cannot be delivered, so the result is not checked.
              var unused = gateway.sendEvent(event);
            });
  }
}
