package dev.braid.loop;

import dev.braid.exchange.message.Presence;
import dev.braid.loop.Holdable.Flushing;
import dev.braid.loop.coordinator.LoopEvent.AwaitRound;
import dev.braid.loop.coordinator.LoopEvent.CannotHold;
import dev.braid.loop.coordinator.LoopEvent.CarryOn;
import dev.braid.loop.coordinator.LoopEvent.Finish;
import dev.braid.loop.coordinator.LoopEvent.Freeze;
import dev.braid.loop.coordinator.LoopEvent.Frozen;
import dev.braid.loop.coordinator.LoopEvent.Held;
import dev.braid.loop.coordinator.LoopEvent.HoldAfter;
import dev.braid.loop.coordinator.LoopEvent.HoldDue;
import dev.braid.loop.coordinator.LoopEvent.Resume;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.coordinator.LoopEvent.ToRank;
import dev.braid.loop.coordinator.LoopEvent.Verdict;
import dev.braid.loop.coordinator.LoopEvent.WentOn;
import dev.braid.loop.envelope.Envelope.Letter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A member's side of a checkpoint through an idle loop: a barrier cannot cut a cycle cleanly, so
 * the loop is emptied before the barrier comes.
 *
 * <pre>
 *            Freeze               HoldAfter(r), r rounds complete, and quiet
 *   RUNNING ────────▶ FROZEN ─────────────────────────────────────────▶ HELD
 *      ▲              answers Frozen                        answers Held  │
 *      └──────── own snapshot taken, or Resume; tells WentOn ◀────────────┘
 * </pre>
 *
 * <p>What this is to an exchange is told at {@link dev.braid.exchange.Synchronous} and {@link
 * dev.braid.exchange.Asynchronous}.
 *
 * <p>What a member had begun beyond round r is rolled back. Its messages may still be in flight, so
 * each letter carries its sender's incarnation, the checkpoint that it went on from: older letters
 * are dropped; letters of a member that went on first wait until this one does. What comes while a
 * member is held from one that is not is dropped too, but by members that serve those that lag.
 *
 * <p>A member that flushes has no common round, so r is 0, and nothing to roll back: it is held
 * when all that it has sent has arrived. It goes on receiving, as others may not be held yet; when
 * all are, nothing is in flight that counts: what those that relay have passed on meanwhile is
 * where it belongs, and answers to it are dropped with the old incarnation.
 *
 * <p>What such a member sends to one that cannot be reached does not arrive for long. It says so
 * instead of Frozen or Held, and the checkpoint is declined: with CarryOn each member is RUNNING
 * again, whether it was frozen or held, in the incarnation that it was in. So nothing that is in
 * flight is dropped: nobody has rolled anything back, and every letter still counts once.
 *
 * <p>Where a member is cut off meanwhile, the view changes while the loop is being held: the round
 * to hold after may then be told once more, as one less. One that is left out has no part in the
 * round; it is held last, when the others' round is certain.
 *
 * <p>A member never resumes by itself when Flink says that a checkpoint was aborted: others may not
 * be held yet, and would wait for what it rolled back. Only the coordinator knows that all are
 * held.
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

  /** Of a member that runs, and tells the coordinator how it stands. */
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

  /** The checkpoint that this member went on from last. */
  public long incarnation() {
    return incarnation;
  }

  /** Whether this member is frozen or held. */
  boolean isHolding() {
    return state != State.RUNNING;
  }

  /** Whether a snapshot taken now is part of a consistent whole. */
  boolean isHeld() {
    return state == State.HELD;
  }

  boolean isHeldFor(long forCheckpoint) {
    return isHeld() && checkpoint == forCheckpoint;
  }

  /** The coordinator has said something. */
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
    } else if (event instanceof CarryOn carryOn) {
      carryOn(carryOn.checkpoint());
    } else if (event instanceof Verdict verdict) {
      member.verdict(verdict.epoch(), verdict.stop());
    } else if (event instanceof Finish finish) {
      finishAfter = OptionalLong.of(finish.rounds());
      finishIfRunning();
    }
  }

  /** A letter of another member has come, or one that waited is looked at again. */
  public void receive(Letter letter) {
    if (letter.message().body() instanceof Presence) {
      // It counts whatever the ranks are doing.
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
   * Whether letters wait. A frozen member that went on receiving could complete a round more than
   * it has told, and then be ahead of the round that all are told to hold after. One that flushes
   * tells no round, and if it heard nothing it would take others for lost.
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

  /** The member may have completed a round, have got a batch, or be quiet now. */
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

  /** Whether some rank cannot be reached, which is then told. */
  private boolean cannotHold() {
    List<Integer> unreachable = flushing().map(Flushing::unreachable).orElse(List.of());
    if (!unreachable.isEmpty()) {
      coordinator.accept(new CannotHold(checkpoint, unreachable));
    }
    return !unreachable.isEmpty();
  }

  /** The member goes on after its snapshot for, or the abortion of, this checkpoint. */
  public void resume(long resumedCheckpoint) {
    if (state != State.HELD || checkpoint != resumedCheckpoint) {
      // It has gone on already: its snapshot was taken before the checkpoint was aborted.
      return;
    }
    incarnation = checkpoint;
    flushing().ifPresent(Flushing::emptied);
    goOn();
  }

  /** The checkpoint is declined. */
  private void carryOn(long declined) {
    if (nextFreeze.isPresent() && nextFreeze.getAsLong() == declined) {
      // It is held for the one before, and has not been frozen for this one.
      nextFreeze = OptionalLong.empty();
      return;
    }
    checkHolds(declined);
    goOn();
  }

  private void goOn() {
    state = State.RUNNING;
    holdAfter = OptionalLong.empty();
    coordinator.accept(new WentOn(checkpoint));
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
              + " rounds complete where "
              + holdAfter.getAsLong()
              + " are to be the last");
    }
    holdAfter = OptionalLong.empty();
    state = State.HELD;
    coordinator.accept(new Held(checkpoint));
  }

  /**
   * Said once more with another view: a member that is held answers again, with the view's model.
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
