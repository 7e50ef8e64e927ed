package dev.braid.loop.coordinator;

import dev.braid.exchange.membership.Arbiter;
import dev.braid.exchange.participation.View;
import dev.braid.loop.coordinator.LoopEvent.BarrierComes;
import dev.braid.loop.coordinator.LoopEvent.CannotHold;
import dev.braid.loop.coordinator.LoopEvent.Freeze;
import dev.braid.loop.coordinator.LoopEvent.Frozen;
import dev.braid.loop.coordinator.LoopEvent.Held;
import dev.braid.loop.coordinator.LoopEvent.HoldAfter;
import dev.braid.loop.coordinator.LoopEvent.HoldDue;
import dev.braid.loop.coordinator.LoopEvent.PathsOpen;
import dev.braid.loop.coordinator.LoopEvent.ProbePaths;
import dev.braid.loop.coordinator.LoopEvent.Resume;
import dev.braid.loop.coordinator.LoopEvent.ResumeDeclined;
import dev.braid.loop.coordinator.LoopHold.Stage;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Empties the loop before a checkpoint's barriers may come, for one checkpoint after another.
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
 * <p>The round to hold after is that of the view's members; excluded members are held when all
 * members of the view are held. A view may change before a hold begins, or while members are on
 * their way to its round, which they may not reach without the change. In the second case the new
 * round is the one in which the new view begins. At other times the change waits. (After a hold
 * Flink delivers events to a worker only when the worker has taken its snapshot.)
 */
final class CheckpointHolds {

  private final MemberTable members;
  private final Arbiter arbiter;
  private final LongFunction<byte[]> state;
  private final CoordinatorGateway gateway;
  private final Runnable whenOver;
  private final LatestAnswers openPaths;
  private final CheckpointQueue queue = new CheckpointQueue();
  private final Declines declines = new Declines();
  private final HoldPacing pacing = new HoldPacing();
  private Optional<LoopHold> holding = Optional.empty();

  /**
   * Creates the holds of members that are about to be deployed.
   *
   * @param state returns the coordinator's state for a checkpoint
   * @param whenOver runs when a hold is over: actions that waited for it may be due
   */
  CheckpointHolds(
      MemberTable members,
      Arbiter arbiter,
      LongFunction<byte[]> state,
      CoordinatorGateway gateway,
      Runnable whenOver) {
    this.members = members;
    this.arbiter = arbiter;
    this.state = state;
    this.gateway = gateway;
    this.whenOver = whenOver;
    this.openPaths = new LatestAnswers(members.size());
  }

  /** Holds the loop for a checkpoint, when it may be held. */
  void begin(LoopHold hold) {
    queue.awaitRound(hold);
    pacing
        .question(hold.checkpoint())
        .ifPresentOrElse(members::sendToAll, () -> probe(hold.checkpoint()));
  }

  private void probe(long checkpoint) {
    if (queue.probe(checkpoint)) {
      members.sendToAll(new ProbePaths(checkpoint));
    }
  }

  void holdDue(int subtask, HoldDue event) {
    if (arbiter.view().contains(subtask)) {
      probe(event.checkpoint());
    }
  }

  void pathsOpen(int subtask, PathsOpen event) {
    if (openPaths.areAllWith(subtask, event.checkpoint())) {
      queue.pathsOpen(event.checkpoint());
      next();
    }
  }

  /** Holds the loop for the next checkpoint, if one waits and the loop is free. */
  void next() {
    boolean isBusy = isUnderWay() || arbiter.isStopping();
    if (isBusy || queue.isEmpty() || members.areDone(arbiter.view().members())) {
      // If all members are done, the end of the job is next, and lets checkpoints pass.
      return;
    }
    LoopHold next = queue.next();
    holding = Optional.of(next);
    members.clearAnswers();
    members.sendToAll(new Freeze(next.checkpoint()));
  }

  void frozen(int subtask, Frozen event) {
    if (!isFor(event.checkpoint())) {
      return;
    }
    LoopHold current = holding.orElseThrow();
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
    arbiter.view().members().forEach(member -> members.send(member, event));
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
          members.send(subtask, event);
        }
      }
    }
  }

  void held(int subtask, Held event) {
    if (!isFor(event.checkpoint())) {
      return;
    }
    LoopHold current = holding.orElseThrow();
    members.held(subtask);
    boolean all = members.answered(subtask);
    holdLeftOut(current);
    if (!all || current.stage() != Stage.LEFT_OUT) {
      return;
    }
    holding = Optional.empty();
    gateway.log(
        Level.DEBUG,
        "loop held after %d rounds for checkpoint %d"
            .formatted(current.rounds(), current.checkpoint()));
    pacing.held(current.rounds());
    declines.held(current.checkpoint()).ifPresent(news -> gateway.log(Level.INFO, news));
    if (current.isAborted()) {
      resumeHeld(current.checkpoint());
    } else {
      // This must precede the pass: from then on Flink holds events back.
      members.sendToAll(new BarrierComes());
      current.pass(state.apply(current.checkpoint()));
    }
    whenOver.run();
  }

  void cannotHold(CannotHold event) {
    if (!isFor(event.checkpoint())) {
      return;
    }
    LoopHold current = holding.orElseThrow();
    holding = Optional.empty();
    members.sendToAll(new ResumeDeclined(current.checkpoint()));
    declines
        .declined(current.checkpoint(), event.unreachable())
        .ifPresent(news -> gateway.log(Level.WARNING, news));
    current.decline(Declines.reason(event.unreachable()));
    whenOver.run();
  }

  /** Handles a checkpoint that was aborted. */
  void aborted(long checkpoint) {
    if (queue.remove(checkpoint)) {
      return;
    }
    if (isFor(checkpoint)) {
      holding.orElseThrow().abort();
    } else {
      // All members were held; those whose barrier has not arrived yet still are.
      resumeHeld(checkpoint);
    }
  }

  private void resumeHeld(long checkpoint) {
    for (int subtask = 0; subtask < members.size(); subtask++) {
      if (members.isHeld(subtask)) {
        members.send(subtask, new Resume(checkpoint));
      }
    }
  }

  /** Returns whether the loop is being held. */
  boolean isUnderWay() {
    return holding.isPresent();
  }

  private boolean isFor(long checkpoint) {
    return isUnderWay() && holding.orElseThrow().checkpoint() == checkpoint;
  }

  /** Returns whether the view may change, with regard to the hold under way. */
  boolean viewMayChange() {
    return !isUnderWay() || holding.orElseThrow().stage() == Stage.MEMBERS;
  }

  /** Holds members that are on their way after the round in which a new view begins. */
  void enter(View view) {
    holding
        .filter(current -> current.stage() == Stage.MEMBERS)
        .ifPresent(
            current -> {
              current.holdAfter(view.round());
              members.clearAnswers();
              holdMembers(current);
            });
  }

  /** Lets all checkpoints wait for {@link #passAll}: members have been asked to end. */
  void end() {
    queue.stopProbing();
  }

  /** Adds a checkpoint that waits for {@link #passAll}. */
  void add(LoopHold hold) {
    queue.add(hold);
  }

  /** Lets all checkpoints pass that wait: the loop is empty for good. */
  void passAll() {
    queue.passAll(state);
  }

  /** Cancels all checkpoints. */
  void failAll(String reason) {
    holding.ifPresent(queue::add);
    holding = Optional.empty();
    queue.failAll(reason);
  }
}
