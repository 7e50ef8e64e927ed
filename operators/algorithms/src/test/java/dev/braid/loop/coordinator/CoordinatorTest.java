package dev.braid.loop.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage;
import dev.braid.loop.coordinator.LoopEvent.AwaitRound;
import dev.braid.loop.coordinator.LoopEvent.Begin;
import dev.braid.loop.coordinator.LoopEvent.Begun;
import dev.braid.loop.coordinator.LoopEvent.CannotHold;
import dev.braid.loop.coordinator.LoopEvent.Done;
import dev.braid.loop.coordinator.LoopEvent.EpochScore;
import dev.braid.loop.coordinator.LoopEvent.Finish;
import dev.braid.loop.coordinator.LoopEvent.Freeze;
import dev.braid.loop.coordinator.LoopEvent.Frozen;
import dev.braid.loop.coordinator.LoopEvent.Held;
import dev.braid.loop.coordinator.LoopEvent.HoldDue;
import dev.braid.loop.coordinator.LoopEvent.Joined;
import dev.braid.loop.coordinator.LoopEvent.PathsOpen;
import dev.braid.loop.coordinator.LoopEvent.ProbePaths;
import dev.braid.loop.coordinator.LoopEvent.ResumeDeclined;
import dev.braid.loop.coordinator.LoopEvent.Resumed;
import dev.braid.loop.coordinator.LoopEvent.ToArbiter;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.coordinator.LoopEvent.ToRank;
import dev.braid.loop.coordinator.LoopEvent.Verdict;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the events that the coordinator of two members sends. */
class CoordinatorTest {

  private static final int MEMBERS = 2;
  private static final int BUFFER_BYTES = 4096;

  private final List<List<ToMember>> told = List.of(new ArrayList<>(), new ArrayList<>());
  private final List<String> logged = new ArrayList<>();
  private final Coordinator coordinator =
      new Coordinator(MEMBERS, StoppingRule.at(0.9), 0, new Gateway());
  private int attempt;

  @Test
  void aVerdictOfAnEpochThatIsTrainedAgain_isGivenAnew() {
    begin();
    takeCheckpoint(1);
    scoresOfAll(0);
    assertThat(told.get(0)).contains(new Verdict(0, false));

    failOver(1);
    tell(0, new EpochScore(0, 0, 1, 10, List.of()));
    assertThat(told.get(0)).as("before member 1 has told its score").isEmpty();
    tell(1, new EpochScore(0, 0, 1, 10, List.of()));
    assertThat(told).allSatisfy(events -> assertThat(events).contains(new Verdict(0, false)));
  }

  @Test
  void aVerdictFromBeforeTheCheckpoint_isGivenAgain() {
    begin();
    takeCheckpoint(1);
    scoresOfAll(0);
    takeCheckpoint(2);
    scoresOfAll(1);

    failOver(2);
    tell(0, new EpochScore(0, 0, 1, 10, List.of()));
    assertThat(told.get(0)).containsExactly(new Verdict(0, false));
    tell(0, new EpochScore(0, 1, 1, 10, List.of()));
    assertThat(told.get(0)).hasSize(1);
  }

  @Test
  void withoutACheckpoint_membersBeginAnew() {
    begin();
    scoresOfAll(0);

    failOver(Coordinator.NO_CHECKPOINT);
    tell(0, new EpochScore(0, 0, 1, 10, List.of()));
    assertThat(told.get(0)).isEmpty();
  }

  @Test
  void theCheckpointThatARunBeganFrom_canBeGoneBackTo() throws IOException {
    begin();
    scoresOfAll(0);
    byte[] state = takeCheckpoint(7);

    coordinator.restore(7, Optional.of(state));
    begin();
    scoresOfAll(1);
    failOver(7);
    tell(1, new EpochScore(0, 0, 1, 10, List.of()));
    assertThat(told.get(1)).containsExactly(new Verdict(0, false));
    assertThatThrownBy(() -> failOver(6))
        .hasMessageContaining("checkpoint 6")
        .hasMessageContaining("[7]");
  }

  @Test
  void afterTwoCheckpointsInOneRound_theThirdWaitsForARound() {
    begin();
    takeCheckpoint(1);
    takeCheckpoint(2);
    told.forEach(List::clear);
    coordinator.checkpoint(3, new Outcome());
    AwaitRound question = new AwaitRound(3, 3, 1_000);
    assertThat(told).allSatisfy(events -> assertThat(events).containsExactly(question));

    tell(0, new HoldDue(2));
    assertThat(told.get(0)).as("of another question").containsExactly(question);
    tell(1, new HoldDue(3));
    tell(0, new HoldDue(3));
    assertThat(told)
        .allSatisfy(events -> assertThat(events).containsExactly(question, new ProbePaths(3)));
    tellAll(new PathsOpen(3));
    assertThat(told).allSatisfy(events -> assertThat(events).endsWith(new Freeze(3)));
  }

  @Test
  void whereTheOneThatWaitsIsAborted_theNextAsksAnew() {
    begin();
    takeCheckpoint(1);
    takeCheckpoint(2);
    coordinator.checkpoint(3, new Outcome());
    coordinator.aborted(3);
    told.forEach(List::clear);
    tell(0, new HoldDue(3));
    assertThat(told.get(0)).as("nothing is left to hold for").isEmpty();

    coordinator.checkpoint(4, new Outcome());
    assertThat(told.get(0)).containsExactly(new AwaitRound(4, 3, 1_000));
  }

  /** An excluded member may have anything to do: only the others' rounds count. */
  @Test
  void whoIsLeftOut_doesNotEndTheWaitForARound() {
    begin();
    takeCheckpoint(1);
    takeCheckpoint(2);
    leaveOut(1);
    coordinator.checkpoint(3, new Outcome());
    tell(1, new HoldDue(3));
    assertThat(told.get(0)).noneMatch(new ProbePaths(3)::equals);
    tell(0, new HoldDue(3));
    assertThat(told.get(0)).endsWith(new ProbePaths(3));
  }

  @Test
  void whereAllAreDone_noCheckpointWaitsForARound() {
    begin();
    takeCheckpoint(1);
    takeCheckpoint(2);
    Outcome outcome = new Outcome();
    coordinator.checkpoint(3, outcome);
    assertThat(outcome.state).isEmpty();
    tellAll(new Done(0, 3));
    assertThat(outcome.state).isPresent();
  }

  @Test
  void whereARankIsUnreachable_theCheckpointIsDeclined_andAllCarryOn() {
    begin();
    Outcome outcome = new Outcome();
    coordinator.checkpoint(1, outcome);
    tellAll(new PathsOpen(1));
    tell(0, new CannotHold(1, List.of(1)));
    String reason = "rank 1 is unreachable; a checkpoint is possible when it has rejoined";
    assertThat(outcome.declined).hasValue(reason);
    assertThat(logged)
        .containsExactly("WARNING checkpoint 1 declined, training continues: " + reason);
    assertThat(told).allSatisfy(events -> assertThat(events).endsWith(new ResumeDeclined(1)));
  }

  @Test
  void whereAMemberDoesNotRun_orFails_theCheckpointFails() {
    Outcome early = new Outcome();
    coordinator.checkpoint(1, early);
    assertThat(early.failed).hasValue("not all 2 workers are running");
    assertThat(coordinator.hasRun()).isFalse();

    begin();
    Outcome outcome = new Outcome();
    coordinator.checkpoint(2, outcome);
    coordinator.failed(1, attempt);
    assertThat(outcome.failed).hasValue("worker 1 failed");
    assertThat(coordinator.hasRun()).isTrue();
  }

  @Test
  void whoWasToldToFinish_isToldNothingMore() {
    begin();
    tell(0, new Done(0, 12));
    tell(1, new Done(0, 12));
    assertThat(told.get(1)).containsExactly(new Finish(12));

    tell(1, new EpochScore(0, 0, 1, 10, List.of()));
    tell(0, new EpochScore(0, 0, 1, 10, List.of()));
    tell(0, new ToArbiter(new ViewMessage.Silent(1)));
    coordinator.aborted(1);
    assertThat(told).allSatisfy(events -> assertThat(events).containsExactly(new Finish(12)));
  }

  @Test
  void whoIsDoneInAnotherView_isNotYetInThis() {
    begin();
    tell(1, new Done(0, 12));
    leaveOut(1);
    // The report was in flight when the view changed; rank 0 may have to wait for work of rank 1.
    tell(0, new Done(0, 12));
    assertThat(told.get(0)).noneMatch(Finish.class::isInstance);
    tell(0, new Done(1, 12));
    assertThat(told.get(0)).contains(new Finish(12));
  }

  @Test
  void aServerThatIsMissed_doesNotKeepTrainingFromStopping() {
    Coordinator one = new Coordinator(MEMBERS, StoppingRule.at(0.9), 1, new Gateway());
    for (int member = 0; member < MEMBERS; member++) {
      one.deployed(member, attempt);
      one.handle(member, attempt, new Joined(BUFFER_BYTES, member));
      one.handle(member, attempt, new Begun());
    }
    one.handle(0, attempt, new EpochScore(0, 0, 9, 10, List.of(1)));
    assertThat(told.get(0)).contains(new Verdict(0, true));
  }

  @Test
  void aScoreOfAnotherView_countsWhenItIsToldAgain() {
    begin();
    tell(0, new EpochScore(0, 0, 1, 10, List.of()));
    leaveOut(1);
    // The score was in flight when the view changed; the model that it belongs to may not count.
    tell(0, new EpochScore(0, 0, 1, 10, List.of()));
    assertThat(told.get(0)).noneMatch(Verdict.class::isInstance);
    tell(0, new EpochScore(1, 0, 1, 10, List.of()));
    assertThat(told.get(0)).contains(new Verdict(0, false));
  }

  @Test
  void ranksAreAskedWhomTheyHear_whenAllHaveBegun() {
    coordinator.deployed(0, attempt);
    coordinator.deployed(1, attempt);
    tell(0, new Joined(BUFFER_BYTES, 70));
    tell(0, new ToArbiter(new ViewMessage.Silent(1)));
    assertThat(told.get(0)).as("while member 1 is being restored").isEmpty();
    tell(1, new Joined(BUFFER_BYTES, 71));
    assertThat(told.get(0)).containsExactly(new Begin(BUFFER_BYTES, List.of(70L, 71L)));
    told.forEach(List::clear);
    tell(0, new Begun());
    tell(0, new ToArbiter(new ViewMessage.Silent(1)));
    assertThat(told.get(0)).as("while member 1 begins").isEmpty();
    tell(1, new Begun());
    tell(0, new ToArbiter(new ViewMessage.Silent(1)));

    assertThat(told)
        .allSatisfy(
            events -> assertThat(events).containsExactly(new ToRank(new ViewMessage.Call(1))));
  }

  private void begin() {
    for (int member = 0; member < MEMBERS; member++) {
      coordinator.deployed(member, attempt);
      tell(member, new Joined(BUFFER_BYTES, member));
      tell(member, new Begun());
    }
    told.forEach(List::clear);
  }

  private void tell(int member, ToCoordinator event) {
    coordinator.handle(member, attempt, event);
  }

  private void tellAll(ToCoordinator event) {
    for (int member = 0; member < MEMBERS; member++) {
      tell(member, event);
    }
  }

  private void scoresOfAll(int epoch) {
    tellAll(new EpochScore(0, epoch, 1, 10, List.of()));
  }

  private byte[] takeCheckpoint(long checkpoint) {
    Outcome outcome = new Outcome();
    coordinator.checkpoint(checkpoint, outcome);
    tellAll(new PathsOpen(checkpoint));
    tellAll(new Frozen(checkpoint, 3));
    tellAll(new Held(checkpoint));
    tellAll(new Resumed(checkpoint));
    coordinator.completed(checkpoint);
    return outcome.state.orElseThrow();
  }

  /** Restarts the workers in the way of Flink when a region fails. */
  private void failOver(long checkpoint) {
    for (int member = 0; member < MEMBERS; member++) {
      coordinator.failed(member, attempt);
    }
    for (int member = 0; member < MEMBERS; member++) {
      coordinator.goBackTo(checkpoint);
    }
    attempt++;
    begin();
  }

  private void leaveOut(int rank) {
    tell(0, new ToArbiter(new ViewMessage.Silent(rank)));
    tell(0, new ToArbiter(new ViewMessage.Here(1)));
    tell(1, new ToArbiter(new ViewMessage.Here(1)));
    tell(0, new ToArbiter(new ViewMessage.Heard(1, List.of())));
    tell(1, new ToArbiter(new ViewMessage.Heard(1, List.of())));
    tellAll(new ToArbiter(new ViewMessage.Stopped(1, 0, 3)));
    assertThat(told.get(0))
        .contains(new ToRank(new ViewMessage.Enter(new View(1, List.of(0), 3, List.of(0)))));
  }

  private final class Gateway implements CoordinatorGateway {

    @Override
    public void send(int member, ToMember event) {
      told.get(member).add(event);
    }

    @Override
    public long nowMillis() {
      return 0;
    }

    @Override
    public void log(Level level, String message) {
      logged.add(level + " " + message);
    }
  }

  private static final class Outcome implements HoldOutcome {

    private Optional<byte[]> state = Optional.empty();
    private Optional<String> declined = Optional.empty();
    private Optional<String> failed = Optional.empty();

    @Override
    public void held(byte[] itsState) {
      state = Optional.of(itsState);
    }

    @Override
    public void declined(String reason) {
      declined = Optional.of(reason);
    }

    @Override
    public void failed(String reason) {
      failed = Optional.of(reason);
    }
  }
}
