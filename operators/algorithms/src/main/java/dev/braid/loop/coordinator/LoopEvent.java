package dev.braid.loop.coordinator;

import dev.braid.exchange.participation.ViewMessage;
import java.io.Serializable;
import java.util.List;

/**
 * An event between the loop's coordinator and its members. Flink sends it inside an operator event,
 * with Java's serialization. Events carry control information only: an event is far smaller than
 * the frame that carries it.
 */
public sealed interface LoopEvent extends Serializable {

  /** An event from the coordinator to a member. */
  sealed interface ToMember extends LoopEvent {}

  /** An event from a member to the coordinator. */
  sealed interface ToCoordinator extends LoopEvent {}

  /**
   * Request to begin, when every member has joined.
   *
   * @param bufferBytes smallest size of a network buffer at any member, in bytes
   * @param edges number of each member's feedback edge, by rank
   */
  record Begin(int bufferBytes, List<Long> edges) implements ToMember {}

  /**
   * Request to send a probe to every member, and to answer {@link PathsOpen} when a probe of each
   * member has arrived.
   */
  record ProbePaths(long checkpoint) implements ToMember {}

  /**
   * Request to answer {@link HoldDue} when more than {@code completedRounds} rounds are complete,
   * or {@code atMostMillis} milliseconds have passed; at once if nothing would be set back.
   */
  record AwaitRound(long checkpoint, long completedRounds, long atMostMillis) implements ToMember {}

  /** Request to begin nothing new, and to answer {@link Frozen}. */
  record Freeze(long checkpoint) implements ToMember {}

  /**
   * Request to complete this number of rounds, roll back what is beyond, and answer {@link Held}.
   */
  record HoldAfter(long checkpoint, long rounds) implements ToMember {}

  /** Notice that all members are held, and that the sources are about to send the barrier. */
  record BarrierComes() implements ToMember {}

  /** Request to resume if held for this checkpoint, which was aborted. */
  record Resume(long checkpoint) implements ToMember {}

  /**
   * Request to continue as if this checkpoint, which is declined, had not begun. Sent only if
   * members flush.
   */
  record ResumeDeclined(long checkpoint) implements ToMember {}

  /** Verdict whether training stops after this epoch, by the {@link StoppingRule}. */
  record Verdict(int epoch, boolean stop) implements ToMember {}

  /**
   * Request to end, when every member of the view has completed its rounds, {@code rounds} in
   * number.
   */
  record Finish(long rounds) implements ToMember {}

  /** Notice that training continues after a failure, with all known recoveries. */
  record Recovered(List<Recovery> recoveries) implements ToMember {}

  /**
   * Request to add no more batches, as the input of all members has ended, and to answer {@link
   * RoundsCounted}.
   */
  record CountRounds() implements ToMember {}

  /** Notice that all members end after {@code rounds} rounds, the largest number counted. */
  record InputIsOver(long rounds) implements ToMember {}

  /** A message of the arbiter of views. */
  record ToRank(ViewMessage.ToRank message) implements ToMember {}

  /** Notice that this member has begun: letters can reach it. */
  record Begun() implements ToCoordinator {}

  /** A message to the arbiter of views. */
  record ToArbiter(ViewMessage.ToArbiter message) implements ToCoordinator {}

  /**
   * Notice that this member can begin.
   *
   * @param bufferBytes size of a network buffer in this member's process, in bytes
   * @param edge number of this member's feedback edge, which no other edge anywhere has
   */
  record Joined(int bufferBytes, long edge) implements ToCoordinator {}

  /**
   * Notice before {@link Joined}: workers of an earlier attempt in this member's process have
   * completed {@code completedRounds} rounds, the last one {@code forMillis} milliseconds ago.
   */
  record StoodStill(long completedRounds, long forMillis) implements ToCoordinator {}

  /**
   * Notice that this member has completed its first round since it began.
   *
   * @param completedRounds number of rounds completed in all
   */
  record FirstRound(long completedRounds) implements ToCoordinator {}

  /** Answer to {@link ProbePaths}: barriers of all other members would arrive here. */
  record PathsOpen(long checkpoint) implements ToCoordinator {}

  /** Answer to {@link AwaitRound}: the loop may be held without further wait. */
  record HoldDue(long checkpoint) implements ToCoordinator {}

  /** Answer to {@link Freeze}, with the number of rounds that are complete here. */
  record Frozen(long checkpoint, long completedRounds) implements ToCoordinator {}

  /** Answer to {@link HoldAfter}: no message of this member is in flight that counts. */
  record Held(long checkpoint) implements ToCoordinator {}

  /**
   * Answer instead of {@link Frozen} or {@link Held}: these ranks are unreachable, and messages of
   * this member to them do not arrive before they rejoin. {@link ResumeDeclined} follows.
   */
  record CannotHold(long checkpoint, List<Integer> unreachable) implements ToCoordinator {}

  /** Notice that the member is not frozen or held any more. */
  record Resumed(long checkpoint) implements ToCoordinator {}

  /**
   * A member's share of the evaluation after an epoch. A {@link Verdict} answers it. The member
   * sends it again in the next view, or when other members are absent than before.
   *
   * @param view number of the member's view
   * @param qualitySum sum over the samples of the quality by which epochs are compared; higher is
   *     better
   * @param absent other members that are unreachable and that this one continues without
   */
  record EpochScore(long view, int epoch, double qualitySum, long samples, List<Integer> absent)
      implements ToCoordinator {

    /**
     * Returns this score with only those absent ranks that could have a score: those below {@code
     * scorers}.
     */
    EpochScore withAbsentBelow(int scorers) {
      List<Integer> missed = absent.stream().filter(rank -> rank < scorers).toList();
      return new EpochScore(view, epoch, qualitySum, samples, missed);
    }
  }

  /**
   * Notice that this member has completed all its rounds; sent again in the next view.
   *
   * @param view number of the member's view
   */
  record Done(long view, long completedRounds) implements ToCoordinator {}

  /** Notice that the input of this member has ended. */
  record InputEnded() implements ToCoordinator {}

  /** Notice that this member has, or had, batches for {@code rounds} rounds. */
  record RoundsCounted(long rounds) implements ToCoordinator {}

  /** Notice that this member has finished as requested: no event can reach it any more. */
  record Ended() implements ToCoordinator {}
}
