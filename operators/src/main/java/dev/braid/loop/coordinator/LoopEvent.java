package dev.braid.loop.coordinator;

import dev.braid.exchange.participation.ViewMessage;
import java.util.List;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;

/**
 * What the loop's coordinator and its members tell each other, over Flink's operator events. They
 * are control and nothing else: an event is far smaller than the frame that carries it.
 */
public sealed interface LoopEvent extends OperatorEvent {

  /** From the coordinator to a member. */
  sealed interface ToMember extends LoopEvent {}

  /** From a member to the coordinator. */
  sealed interface ToCoordinator extends LoopEvent {}

  /**
   * Every member has joined: begin.
   *
   * @param bufferBytes the least that a network buffer holds at any of them
   */
  record Begin(int bufferBytes) implements ToMember {}

  /** Send a probe to every member; answer {@link PathsOpen} when one of each has come. */
  record ProbePaths(long checkpoint) implements ToMember {}

  /**
   * Answer {@link HoldDue} when more than so many rounds are complete, or so long has passed; at
   * once where nothing would be set back.
   */
  record AwaitRound(long checkpoint, long completedRounds, long atMostMillis) implements ToMember {}

  /** Begin nothing new; answer {@link Frozen}. */
  record Freeze(long checkpoint) implements ToMember {}

  /** Bring as many rounds to an end, set back what is beyond them, and answer {@link Held}. */
  record HoldAfter(long checkpoint, long rounds) implements ToMember {}

  /** All members are held, and the sources are about to send the barrier. */
  record BarrierComes() implements ToMember {}

  /** The checkpoint was aborted: go on, if held for it. */
  record Resume(long checkpoint) implements ToMember {}

  /** The checkpoint is declined: go on as if it had not begun. Only where members flush. */
  record CarryOn(long checkpoint) implements ToMember {}

  /** Whether training stops after this epoch, as its target is reached. */
  record Verdict(int epoch, boolean stop) implements ToMember {}

  /** Every member of the view has done its rounds, which are so many: end. */
  record Finish(long rounds) implements ToMember {}

  /** Training goes on after a failure: all that is known of this and earlier ones. */
  record Recovered(List<Recovery> recoveries) implements ToMember {}

  /** The input of all members has ended, and the longest is enough for so many rounds. */
  record InputIsOver(long rounds) implements ToMember {}

  /** From the arbiter of views. */
  record ToRank(ViewMessage.ToRank message) implements ToMember {}

  /** This member has begun: letters reach it from now on. */
  record Begun() implements ToCoordinator {}

  /** To the arbiter of views. */
  record ToArbiter(ViewMessage.ToArbiter message) implements ToCoordinator {}

  /**
   * This member can begin.
   *
   * @param bufferBytes what a network buffer holds where it runs
   */
  record Joined(int bufferBytes) implements ToCoordinator {}

  /**
   * Before {@link Joined}: workers of an earlier attempt in this member's process have completed so
   * many rounds, the last one so long ago.
   */
  record StoodStill(long completedRounds, long forMillis) implements ToCoordinator {}

  /** This member has completed its first round since it began, and so many in all. */
  record FirstRound(long completedRounds) implements ToCoordinator {}

  /** The answer to {@link ProbePaths}: barriers of all others would come here now. */
  record PathsOpen(long checkpoint) implements ToCoordinator {}

  /** The answer to {@link AwaitRound}: the loop need not wait any longer to be held. */
  record HoldDue(long checkpoint) implements ToCoordinator {}

  /** The answer to {@link Freeze}: how many rounds are complete here. */
  record Frozen(long checkpoint, long completedRounds) implements ToCoordinator {}

  /** The answer to {@link HoldAfter}: nothing of this member's is in flight that counts. */
  record Held(long checkpoint) implements ToCoordinator {}

  /**
   * Instead of {@link Frozen} or {@link Held}: these ranks cannot be reached, and what this member
   * sends them does not arrive before they are back. {@link CarryOn} follows.
   */
  record CannotHold(long checkpoint, List<Integer> unreachable) implements ToCoordinator {}

  /** Frozen or held no longer. */
  record WentOn(long checkpoint) implements ToCoordinator {}

  /**
   * A member's share of the evaluation after an epoch; answered by a {@link Verdict}, or told again
   * in the next view, or when others are absent than before.
   *
   * @param view the number of the view that the member is told to be in
   * @param qualitySum what epochs are compared by, added up over the samples: the more the better
   * @param absent other members that this one goes on without, as they cannot be reached
   */
  record EpochScore(long view, int epoch, double qualitySum, long samples, List<Integer> absent)
      implements ToCoordinator {

    /** The same, with those alone of the absent who could have a score: the first so many ranks. */
    EpochScore withAbsentBelow(int scorers) {
      List<Integer> missed = absent.stream().filter(rank -> rank < scorers).toList();
      return new EpochScore(view, epoch, qualitySum, samples, missed);
    }
  }

  /**
   * This member has done all its rounds; told again in the next view.
   *
   * @param view the number of the view that the member is told to be in
   */
  record Done(long view, long completedRounds) implements ToCoordinator {}

  /** The input of this member has ended, which is enough for so many rounds. */
  record InputEnded(long rounds) implements ToCoordinator {}

  /** This member has been told to finish, and has: no event reaches it any more. */
  record Ended() implements ToCoordinator {}
}
