package dev.braid.loop.member;

import dev.braid.exchange.message.Presence;
import dev.braid.loop.coordinator.LoopEvent.AwaitRound;
import dev.braid.loop.coordinator.LoopEvent.CannotHold;
import dev.braid.loop.coordinator.LoopEvent.Finish;
import dev.braid.loop.coordinator.LoopEvent.Freeze;
import dev.braid.loop.coordinator.LoopEvent.Frozen;
import dev.braid.loop.coordinator.LoopEvent.Held;
import dev.braid.loop.coordinator.LoopEvent.HoldAfter;
import dev.braid.loop.coordinator.LoopEvent.HoldDue;
import dev.braid.loop.coordinator.LoopEvent.Resume;
import dev.braid.loop.coordinator.LoopEvent.ResumeDeclined;
import dev.braid.loop.coordinator.LoopEvent.Resumed;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.coordinator.LoopEvent.ToRank;
import dev.braid.loop.coordinator.LoopEvent.Verdict;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.loop.member.Holdable.Flushing;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A member's side of a checkpoint through an idle loop. A barrier cannot cut a cycle cleanly, so
 * the loop is emptied before the barrier comes.
 *
 * <pre>
 *            Freeze               HoldAfter(r), r rounds complete, and quiet
 *   RUNNING ────────▶ FROZEN ─────────────────────────────────────────▶ HELD
 *      ▲              answers Frozen                        answers Held  │
 *      └──────── own snapshot taken, or Resume; sends Resumed ◀───────────┘
 * </pre>
 *
 * <p>{@link dev.braid.exchange.Synchronous} and {@link dev.braid.exchange.Asynchronous} describe
 * what the protocol requires of an exchange.
 *
 * <p>The work of a member beyond round r is rolled back. Its messages may still be in flight, so
 * each letter carries its sender's incarnation: the checkpoint after which the sender last resumed.
 * Older letters are dropped. Letters of a member that resumed first wait until this member resumes.
 * A held member also drops letters of members that are not held yet, unless it serves members that
 * lag.
 *
 * <p>Members that flush have no common round, so r is 0 and nothing is rolled back. Such a member
 * is held when all its messages have arrived. It continues to receive, because others may not be
 * held yet. When all are held, no message in flight counts: updates that were relayed meanwhile
 * have reached their destinations, and acknowledgements of them are dropped with the old
 * incarnation.
 *
 * <p>Messages of such a member to an unreachable rank do not arrive for a long time. The member
 * reports this instead of Frozen or Held, and the checkpoint is declined. On ResumeDeclined each
 * member is RUNNING again, whether it was frozen or held, in the same incarnation as before. No
 * message in flight is dropped then: no member has rolled anything back, and every letter still
 * counts once.
 *
 * <p>If a member becomes unreachable meanwhile, the view changes while the loop is being held. The
 * round to hold after may then be sent a second time, reduced by one. An excluded member has no
 * part in the round; it is held last, when the others' round is certain.
 *
 * <p>A member never resumes on its own when Flink reports that a checkpoint was aborted: others may
 * not be held yet, and would wait for the work that it rolled back. Only the coordinator knows that
 * all are held.
 */
public final class HoldProtocol {

  private enum State {
    RUNNING,
    FROZEN,
    HELD
  }

  private final LoopMember member;
  private final Consumer<ToCoordinator> coordinator;
  private final Deque<Letter> stash = new ArrayDeque<>();
  private boolean receivesStashed;

  private State state = State.RUNNING;
  private long incarnation;
  private long checkpoint;
  private OptionalLong holdAfter = OptionalLong.empty();
  private OptionalLong nextFreeze = OptionalLong.empty();
  private OptionalLong finishAfter = OptionalLong.empty();
  private Optional<AwaitRound> awaited = Optional.empty();

  /** Creates the protocol of a running member, which reports its state to the coordinator. */
  public HoldProtocol(LoopMember member, Consumer<ToCoordinator> coordinator) {
    this.member = member;
    this.coordinator = coordinator;
  }

  private Holdable holdable() {
    return member.holdable();
  }

  private Optional<Flushing> flushing() {
    return holdable().flushing();
  }

  /** Returns the checkpoint after which this member last resumed; 0 before the first. */
  public long incarnation() {
    return incarnation;
  }

  /** Returns whether this member is frozen or held. */
  public boolean isHolding() {
    return state != State.RUNNING;
  }

  /** Returns whether a snapshot at this moment is part of a consistent whole. */
  public boolean isHeld() {
    return state == State.HELD;
  }

  /** Returns whether this member is held for this checkpoint. */
  public boolean isHeldFor(long forCheckpoint) {
    return isHeld() && checkpoint == forCheckpoint;
  }

  /** Handles an event of the coordinator. */
  public void handle(ToMember event) {
    if (event instanceof AwaitRound await) {
      awaited = Optional.of(await);
      sayIfHoldIsDue();
    } else if (event instanceof Freeze freeze) {
      freeze(freeze.checkpoint());
    } else if (event instanceof HoldAfter hold) {
      holdAfter(hold);
    } else if (event instanceof ToRank toRank) {
      member.handle(toRank.message());
      roundsAdvanced();
    } else if (event instanceof Resume resume) {
      resume(resume.checkpoint());
    } else if (event instanceof ResumeDeclined declined) {
      resumeDeclined(declined.checkpoint());
    } else if (event instanceof Verdict verdict) {
      member.verdict(verdict.epoch(), verdict.stop());
    } else if (event instanceof Finish finish) {
      finishAfter = OptionalLong.of(finish.rounds());
      finishIfRunning();
    }
  }

  /** Handles a letter of another member, when it arrives or is taken from the stash. */
  public void receive(Letter letter) {
    if (letter.message().body() instanceof Presence) {
      // Presence counts in every state of the ranks.
      member.receive(letter.message());
      return;
    }
    boolean isOfHeldRound = state == State.HELD && !holdable().servesWhileHeld();
    if (letter.incarnation() < incarnation
        || (letter.incarnation() == incarnation && isOfHeldRound)) {
      letter.message().release();
    } else if (letter.incarnation() > incarnation || awaitsHold() || !member.takesMessages()) {
      stash.add(letter);
    } else {
      member.receive(letter.message());
      roundsAdvanced();
    }
  }

  /**
   * Returns whether letters wait. A frozen member that received letters could complete one more
   * round than it has reported, and then be ahead of the round to hold after. A member that flushes
   * reports no round, and would consider other ranks lost if it received nothing.
   */
  private boolean awaitsHold() {
    return state == State.FROZEN && holdAfter.isEmpty() && flushing().isEmpty();
  }

  private void receiveStashed() {
    if (receivesStashed) {
      return;
    }
    receivesStashed = true;
    int stashed = stash.size();
    for (int i = 0; i < stashed; i++) {
      receive(stash.remove());
    }
    receivesStashed = false;
  }

  /** Handles progress: the member may have completed a round, received a batch, or become quiet. */
  public void roundsAdvanced() {
    sayIfHoldIsDue();
    holdIfThrough();
    if (!stash.isEmpty() && !awaitsHold() && member.takesMessages()) {
      receiveStashed();
    }
  }

  private void sayIfHoldIsDue() {
    if (awaited.isEmpty()) {
      return;
    }
    AwaitRound await = awaited.get();
    boolean isDue =
        flushing().isPresent()
            || !holdable().hasNextRound()
            || holdable().completedRounds() > await.completedRounds();
    if (isDue) {
      awaited = Optional.empty();
      coordinator.accept(new HoldDue(await.checkpoint()));
    }
  }

  private void holdIfThrough() {
    if (holdAfter.isEmpty() || !holdable().isThrough(holdAfter.getAsLong())) {
      return;
    }
    if (flushing().map(Flushing::allHasArrived).orElse(true)) {
      hold();
    } else if (cannotHold()) {
      holdAfter = OptionalLong.empty();
    }
  }

  /** Returns whether some rank is unreachable, and reports it. */
  private boolean cannotHold() {
    List<Integer> unreachable = flushing().map(Flushing::unreachable).orElse(List.of());
    if (!unreachable.isEmpty()) {
      coordinator.accept(new CannotHold(checkpoint, unreachable));
    }
    return !unreachable.isEmpty();
  }

  /**
   * Resumes after the member's snapshot for this checkpoint, or after the checkpoint was aborted.
   */
  public void resume(long resumedCheckpoint) {
    if (state != State.HELD || checkpoint != resumedCheckpoint) {
      // The member has resumed already: its snapshot was taken before the checkpoint was aborted.
      return;
    }
    incarnation = checkpoint;
    flushing().ifPresent(Flushing::emptied);
    resume();
  }

  /** Continues after the checkpoint was declined. */
  private void resumeDeclined(long declined) {
    if (nextFreeze.isPresent() && nextFreeze.getAsLong() == declined) {
      // The member is held for the previous checkpoint, and has not been frozen for this one.
      nextFreeze = OptionalLong.empty();
      return;
    }
    checkHolds(declined);
    resume();
  }

  private void resume() {
    state = State.RUNNING;
    holdAfter = OptionalLong.empty();
    coordinator.accept(new Resumed(checkpoint));
    holdable().resume();
    receiveStashed();
    if (nextFreeze.isPresent()) {
      long next = nextFreeze.getAsLong();
      nextFreeze = OptionalLong.empty();
      freeze(next);
    }
    finishIfRunning();
  }

  private void freeze(long forCheckpoint) {
    if (state == State.HELD) {
      nextFreeze = OptionalLong.of(forCheckpoint);
      return;
    }
    if (state == State.FROZEN) {
      throw new IllegalStateException(
          "asked to freeze for checkpoint " + forCheckpoint + " while frozen for " + checkpoint);
    }
    state = State.FROZEN;
    awaited = Optional.empty();
    checkpoint = forCheckpoint;
    holdable().freeze();
    if (!cannotHold()) {
      coordinator.accept(new Frozen(forCheckpoint, holdable().completedRounds()));
    }
  }

  private void hold() {
    if (state == State.FROZEN && flushing().isEmpty()) {
      holdable().rollBack();
    }
    if (holdable().completedRounds() != holdAfter.getAsLong()) {
      throw new IllegalStateException(
          holdable().completedRounds()
              + " rounds are complete: must be "
              + holdAfter.getAsLong()
              + " to hold");
    }
    holdAfter = OptionalLong.empty();
    state = State.HELD;
    coordinator.accept(new Held(checkpoint));
  }

  /**
   * Starts to hold the member. Called again with another view: a member that is held then answers
   * again, with the view's model.
   */
  private void holdAfter(HoldAfter hold) {
    checkHolds(hold.checkpoint());
    holdAfter = OptionalLong.of(hold.rounds());
    holdable().holdAfter(hold.rounds());
    flushing().ifPresent(Flushing::flush);
    roundsAdvanced();
    receiveStashed();
  }

  private void finishIfRunning() {
    if (finishAfter.isPresent() && state == State.RUNNING) {
      long rounds = finishAfter.getAsLong();
      finishAfter = OptionalLong.empty();
      member.finish(rounds);
    }
  }

  private void checkHolds(long expected) {
    if (state == State.RUNNING || checkpoint != expected) {
      throw new IllegalStateException(
          "asked to hold for checkpoint " + expected + " while " + state + " for " + checkpoint);
    }
  }
}
