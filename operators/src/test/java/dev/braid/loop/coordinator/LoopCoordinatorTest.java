package dev.braid.loop.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage;
import dev.braid.loop.coordinator.LoopEvent.AwaitRound;
import dev.braid.loop.coordinator.LoopEvent.Begin;
import dev.braid.loop.coordinator.LoopEvent.Begun;
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
import dev.braid.loop.coordinator.LoopEvent.Resumed;
import dev.braid.loop.coordinator.LoopEvent.ToArbiter;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToRank;
import dev.braid.loop.coordinator.LoopEvent.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.messages.Acknowledge;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator.SubtaskGateway;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the events that the coordinator of two members sends. */
class LoopCoordinatorTest {

  private static final int MEMBERS = 2;
  private static final int BUFFER_BYTES = 4096;

  private final LoopCoordinator coordinator =
      new LoopCoordinator(() -> MEMBERS, StoppingRule.at(0.9), 0);
  private final List<List<OperatorEvent>> told = List.of(new ArrayList<>(), new ArrayList<>());
  private int attempt;

  @BeforeEach
  void start() {
    coordinator.start();
  }

  @Test
  void aVerdictOfAnEpochThatIsTrainedAgain_isGivenAnew() throws Exception {
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
  void aVerdictFromBeforeTheCheckpoint_isGivenAgain() throws Exception {
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
  void withoutACheckpoint_membersBeginAnew() throws Exception {
    begin();
    scoresOfAll(0);

    failOver(OperatorCoordinator.NO_CHECKPOINT);
    tell(0, new EpochScore(0, 0, 1, 10, List.of()));
    assertThat(told.get(0)).isEmpty();
  }

  @Test
  void theCheckpointThatARunBeganFrom_canBeGoneBackTo() throws Exception {
    begin();
    scoresOfAll(0);
    byte[] state = takeCheckpoint(7);

    coordinator.resetToCheckpoint(7, state);
    begin();
    scoresOfAll(1);
    failOver(7);
    tell(1, new EpochScore(0, 0, 1, 10, List.of()));
    assertThat(told.get(1)).containsExactly(new Verdict(0, false));
    assertThatThrownBy(() -> failOver(6))
        .hasMessageContaining("checkpoint 6")
        .hasMessageContaining("[7]");
  }

  /** Flink does not end a job whose coordinator cannot be restored before it starts. */
  @Test
  void aStateThatIsDamagedEndsTheJobOnceItStarts() throws Exception {
    begin();
    byte[] state = takeCheckpoint(7);
    state[2] ^= 1;
    List<Throwable> failures = new ArrayList<>();
    LoopCoordinator restored =
        new LoopCoordinator(() -> 2, failures::add, () -> 0, StoppingRule.at(0.9), 0);

    restored.resetToCheckpoint(7, state);
    assertThat(failures).isEmpty();
    restored.start();
    assertThat(failures).singleElement().isInstanceOf(SuppressRestartsException.class);
  }

  @Test
  void afterTwoCheckpointsInOneRound_theThirdWaitsForARound() throws Exception {
    begin();
    takeCheckpoint(1);
    takeCheckpoint(2);
    told.forEach(List::clear);
    coordinator.checkpointCoordinator(3, new CompletableFuture<>());
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
  void whereTheOneThatWaitsIsAborted_theNextAsksAnew() throws Exception {
    begin();
    takeCheckpoint(1);
    takeCheckpoint(2);
    coordinator.checkpointCoordinator(3, new CompletableFuture<>());
    coordinator.notifyCheckpointAborted(3);
    told.forEach(List::clear);
    tell(0, new HoldDue(3));
    assertThat(told.get(0)).as("nothing is left to hold for").isEmpty();

    coordinator.checkpointCoordinator(4, new CompletableFuture<>());
    assertThat(told.get(0)).containsExactly(new AwaitRound(4, 3, 1_000));
  }

  /** An excluded member may have anything to do: only the others' rounds count. */
  @Test
  void whoIsLeftOut_doesNotEndTheWaitForARound() throws Exception {
    begin();
    takeCheckpoint(1);
    takeCheckpoint(2);
    leaveOut(1);
    coordinator.checkpointCoordinator(3, new CompletableFuture<>());
    tell(1, new HoldDue(3));
    assertThat(told.get(0)).noneMatch(new ProbePaths(3)::equals);
    tell(0, new HoldDue(3));
    assertThat(told.get(0)).endsWith(new ProbePaths(3));
  }

  @Test
  void whereAllAreDone_noCheckpointWaitsForARound() throws Exception {
    begin();
    takeCheckpoint(1);
    takeCheckpoint(2);
    CompletableFuture<byte[]> state = new CompletableFuture<>();
    coordinator.checkpointCoordinator(3, state);
    assertThat(state).isNotDone();
    tellAll(new Done(0, 3));
    assertThat(state).isCompleted();
  }

  @Test
  void whoWasToldToFinish_isToldNothingMore() throws Exception {
    begin();
    tell(0, new Done(0, 12));
    tell(1, new Done(0, 12));
    assertThat(told.get(1)).containsExactly(new Finish(12));

    tell(1, new EpochScore(0, 0, 1, 10, List.of()));
    tell(0, new EpochScore(0, 0, 1, 10, List.of()));
    tell(0, new ToArbiter(new ViewMessage.Silent(1)));
    coordinator.notifyCheckpointAborted(1);
    assertThat(told).allSatisfy(events -> assertThat(events).containsExactly(new Finish(12)));
  }

  @Test
  void whoIsDoneInAnotherView_isNotYetInThis() throws Exception {
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
  void aServerThatIsMissed_doesNotKeepTrainingFromStopping() throws Exception {
    LoopCoordinator one = new LoopCoordinator(() -> MEMBERS, StoppingRule.at(0.9), 1);
    one.start();
    for (int member = 0; member < MEMBERS; member++) {
      one.executionAttemptReady(member, attempt, new Gateway(member));
      one.handleEventFromOperator(member, attempt, new Joined(BUFFER_BYTES));
      one.handleEventFromOperator(member, attempt, new Begun());
    }
    one.handleEventFromOperator(0, attempt, new EpochScore(0, 0, 9, 10, List.of(1)));
    assertThat(told.get(0)).contains(new Verdict(0, true));
  }

  @Test
  void aScoreOfAnotherView_countsWhenItIsToldAgain() throws Exception {
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
  void ranksAreAskedWhomTheyHear_whenAllHaveBegun() throws Exception {
    coordinator.executionAttemptReady(0, attempt, new Gateway(0));
    coordinator.executionAttemptReady(1, attempt, new Gateway(1));
    tell(0, new Joined(BUFFER_BYTES));
    tell(0, new ToArbiter(new ViewMessage.Silent(1)));
    assertThat(told.get(0)).as("while member 1 is being restored").isEmpty();
    tell(1, new Joined(BUFFER_BYTES));
    assertThat(told.get(0)).containsExactly(new Begin(BUFFER_BYTES));
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

  private void begin() throws Exception {
    for (int member = 0; member < MEMBERS; member++) {
      coordinator.executionAttemptReady(member, attempt, new Gateway(member));
      tell(member, new Joined(BUFFER_BYTES));
      tell(member, new Begun());
    }
    told.forEach(List::clear);
  }

  private void tell(int member, ToCoordinator event) throws Exception {
    coordinator.handleEventFromOperator(member, attempt, event);
  }

  private void tellAll(ToCoordinator event) throws Exception {
    for (int member = 0; member < MEMBERS; member++) {
      tell(member, event);
    }
  }

  private void scoresOfAll(int epoch) throws Exception {
    tellAll(new EpochScore(0, epoch, 1, 10, List.of()));
  }

  private byte[] takeCheckpoint(long checkpoint) throws Exception {
    CompletableFuture<byte[]> state = new CompletableFuture<>();
    coordinator.checkpointCoordinator(checkpoint, state);
    tellAll(new PathsOpen(checkpoint));
    tellAll(new Frozen(checkpoint, 3));
    tellAll(new Held(checkpoint));
    tellAll(new Resumed(checkpoint));
    coordinator.notifyCheckpointComplete(checkpoint);
    return state.join();
  }

  /** Restarts the workers in the way of Flink when a region fails. */
  private void failOver(long checkpoint) throws Exception {
    for (int member = 0; member < MEMBERS; member++) {
      coordinator.executionAttemptFailed(member, attempt, new Exception("failed"));
    }
    for (int member = 0; member < MEMBERS; member++) {
      coordinator.subtaskReset(member, checkpoint);
    }
    attempt++;
    begin();
  }

  private void leaveOut(int rank) throws Exception {
    tell(0, new ToArbiter(new ViewMessage.Silent(rank)));
    tell(0, new ToArbiter(new ViewMessage.Here(1)));
    tell(1, new ToArbiter(new ViewMessage.Here(1)));
    tell(0, new ToArbiter(new ViewMessage.Heard(1, List.of())));
    tell(1, new ToArbiter(new ViewMessage.Heard(1, List.of())));
    tellAll(new ToArbiter(new ViewMessage.Stopped(1, 0, 3)));
    assertThat(told.get(0))
        .contains(new ToRank(new ViewMessage.Enter(new View(1, List.of(0), 3, List.of(0)))));
  }

  private final class Gateway implements SubtaskGateway {
    private final int member;

    Gateway(int member) {
      this.member = member;
    }

    @Override
    public CompletableFuture<Acknowledge> sendEvent(OperatorEvent event) {
      told.get(member).add(event);
      return CompletableFuture.completedFuture(Acknowledge.get());
    }

    @Override
    public ExecutionAttemptID getExecution() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int getSubtask() {
      return member;
    }
  }
}
