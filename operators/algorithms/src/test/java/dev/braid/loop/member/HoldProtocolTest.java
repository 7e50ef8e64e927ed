package dev.braid.loop.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Pull;
import dev.braid.loop.coordinator.LoopEvent.AwaitRound;
import dev.braid.loop.coordinator.LoopEvent.CannotHold;
import dev.braid.loop.coordinator.LoopEvent.Freeze;
import dev.braid.loop.coordinator.LoopEvent.Frozen;
import dev.braid.loop.coordinator.LoopEvent.Held;
import dev.braid.loop.coordinator.LoopEvent.HoldAfter;
import dev.braid.loop.coordinator.LoopEvent.HoldDue;
import dev.braid.loop.coordinator.LoopEvent.ResumeDeclined;
import dev.braid.loop.coordinator.LoopEvent.Resumed;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.envelope.Envelope.Letter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests a member, rank 0, in the incarnation of checkpoint 4; it flushes unless a test uses
 * another.
 */
class HoldProtocolTest {

  private static final long INCARNATION = 4;

  private final Member member = new Member();
  private final List<ToCoordinator> said = new ArrayList<>();
  private final HoldProtocol protocol = new HoldProtocol(member, said::add);

  HoldProtocolTest() {
    hold(INCARNATION);
    protocol.resume(INCARNATION);
    said.clear();
    member.calls.clear();
  }

  @Test
  void whoKnowsOfARankThatIsAway_saysSoInsteadOfFrozen() {
    member.unreachable = List.of(2);
    protocol.handle(new Freeze(5));
    assertThat(said).containsExactly(new CannotHold(5, List.of(2)));

    protocol.handle(new ResumeDeclined(5));
    assertThat(said).endsWith(new Resumed(5));
    assertThat(member.calls).containsExactly("freeze", "resume");
    assertThat(protocol.incarnation()).isEqualTo(INCARNATION);
  }

  @Test
  void whoFindsARankAwayWhileItFlushes_saysSoOnce() {
    member.isQuiet = false;
    protocol.handle(new Freeze(5));
    protocol.handle(new HoldAfter(5, 0));
    protocol.roundsAdvanced();
    member.unreachable = List.of(1, 2);
    protocol.roundsAdvanced();
    protocol.roundsAdvanced();
    assertThat(said).containsExactly(new Frozen(5, 0), new CannotHold(5, List.of(1, 2)));

    member.isQuiet = true;
    protocol.roundsAdvanced();
    assertThat(said).as("it has given up").hasSize(2);
  }

  /** Every letter in flight counts, whatever the state of its receiver when it arrived. */
  @Test
  void nothingIsDroppedOfACheckpointThatIsDeclined() {
    protocol.handle(new Freeze(5));
    protocol.receive(letter(1));
    protocol.handle(new HoldAfter(5, 0));
    assertThat(said).contains(new Held(5));
    protocol.receive(letter(2));
    protocol.handle(new ResumeDeclined(5));
    protocol.receive(letter(3));
    assertThat(protocol.incarnation()).isEqualTo(INCARNATION);
    assertThat(member.calls)
        .containsExactly("freeze", "message 1", "flush", "message 2", "resume", "message 3");

    hold(6);
    protocol.resume(6);
    protocol.receive(letter(4));
    assertThat(member.calls).as("of an incarnation that is over").doesNotContain("message 4");
  }

  /** Letters in flight are dropped, so a member that waits for them must be informed. */
  @Test
  void whoGoesOnWhenAllWereHeld_isToldThatNothingIsUnderWay() {
    hold(5);
    protocol.resume(5);
    assertThat(member.calls).containsExactly("freeze", "flush", "emptied", "resume");
  }

  /** A letter in the same JVM arrives at once, also while this member's snapshot is not taken. */
  @Test
  void lettersOfAMemberThatResumedFirst_waitForTheOwnSnapshot() {
    hold(5);
    protocol.receive(letter(5, 1));
    protocol.receive(letter(5, 2));
    assertThat(member.calls).doesNotContain("message 1", "message 2");
    protocol.resume(5);
    assertThat(member.calls).endsWith("resume", "message 1", "message 2");
  }

  /**
   * This happens if a savepoint begins before this member has taken its snapshot for the previous
   * checkpoint.
   */
  @Test
  void whoIsStillHeldForTheCheckpointBefore_isNotFrozenForTheOneThatIsDeclined() {
    hold(5);
    protocol.handle(new Freeze(6));
    protocol.handle(new ResumeDeclined(6));
    assertThat(protocol.isHeldFor(5)).isTrue();
    protocol.resume(5);
    assertThat(said).containsExactly(new Frozen(5, 0), new Held(5), new Resumed(5));
    assertThat(protocol.incarnation()).isEqualTo(5);
  }

  /** A checkpoint saves the state after the roll-back. */
  @Test
  void whoIsAtAnotherRoundOnceItHasRolledBack_isNotHeld() {
    HoldProtocol other = new HoldProtocol(new RollingBack(7, 6), said::add);
    other.handle(new Freeze(5));
    assertThatThrownBy(() -> other.handle(new HoldAfter(5, 7)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("6 rounds are complete: must be 7 to hold");
    assertThat(said).containsExactly(new Frozen(5, 7));
    assertThat(other.isHeld()).isFalse();
  }

  @Test
  void whoIsToldToAwaitARound_saysOnceThatOneIsComplete() {
    RollingBack rounds = new RollingBack(7, 7);
    HoldProtocol other = new HoldProtocol(rounds, said::add);
    other.handle(new AwaitRound(5, 7, 1_000));
    other.roundsAdvanced();
    assertThat(said).isEmpty();

    rounds.rounds = 8;
    other.roundsAdvanced();
    other.roundsAdvanced();
    assertThat(said).containsExactly(new HoldDue(5));

    other.handle(new AwaitRound(6, 7, 1_000));
    assertThat(said).as("one is complete already").containsExactly(new HoldDue(5), new HoldDue(6));
  }

  @Test
  void whoSetsNothingBack_awaitsNoRound() {
    protocol.handle(new AwaitRound(5, 0, 1_000));
    assertThat(said).containsExactly(new HoldDue(5));
  }

  /** The member was frozen because the time limit had passed. */
  @Test
  void whoIsFrozenBeforeARoundIsComplete_saysNothingOfItAnyMore() {
    RollingBack rounds = new RollingBack(7, 7);
    HoldProtocol other = new HoldProtocol(rounds, said::add);
    other.handle(new AwaitRound(5, 7, 1_000));
    other.handle(new Freeze(5));
    rounds.rounds = 8;
    other.roundsAdvanced();
    assertThat(said).containsExactly(new Frozen(5, 7));
  }

  private void hold(long checkpoint) {
    protocol.handle(new Freeze(checkpoint));
    protocol.handle(new HoldAfter(checkpoint, 0));
  }

  private static Letter letter(long round) {
    return letter(INCARNATION, round);
  }

  private static Letter letter(long incarnation, long round) {
    return new Letter(incarnation, new Message(1, 0, round, new Pull.Withdraw(0)));
  }

  private static final class Member implements LoopMember, Holdable, Holdable.Flushing {
    private final List<String> calls = new ArrayList<>();
    private boolean isQuiet = true;
    private List<Integer> unreachable = List.of();

    @Override
    public long completedRounds() {
      return 0;
    }

    @Override
    public void freeze() {
      calls.add("freeze");
    }

    @Override
    public Holdable holdable() {
      return this;
    }

    @Override
    public Optional<Flushing> flushing() {
      return Optional.of(this);
    }

    @Override
    public void flush() {
      calls.add("flush");
    }

    @Override
    public boolean allHasArrived() {
      return isQuiet;
    }

    @Override
    public List<Integer> unreachable() {
      return unreachable;
    }

    @Override
    public void emptied() {
      calls.add("emptied");
    }

    @Override
    public void rollBack() {
      throw new AssertionError("it flushes");
    }

    @Override
    public void resume() {
      calls.add("resume");
    }

    @Override
    public void receive(Message message) {
      calls.add("message " + message.round());
    }

    @Override
    public boolean servesWhileHeld() {
      return true;
    }

    @Override
    public void verdict(int epoch, boolean stop) {}

    @Override
    public void finish(long rounds) {}
  }

  /** A member that reports another number of rounds after its roll-back than before. */
  private static final class RollingBack implements LoopMember, Holdable {
    private final long roundsAfter;
    private long rounds;

    RollingBack(long roundsBefore, long roundsAfter) {
      this.rounds = roundsBefore;
      this.roundsAfter = roundsAfter;
    }

    @Override
    public Holdable holdable() {
      return this;
    }

    @Override
    public long completedRounds() {
      return rounds;
    }

    @Override
    public void freeze() {}

    @Override
    public void rollBack() {
      rounds = roundsAfter;
    }

    @Override
    public void resume() {}

    @Override
    public void receive(Message message) {}

    @Override
    public void verdict(int epoch, boolean stop) {}

    @Override
    public void finish(long finished) {}
  }
}
