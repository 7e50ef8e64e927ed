package dev.braid.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.loop.coordinator.Coordinator;
import dev.braid.loop.coordinator.LoopEvent.Begin;
import dev.braid.loop.coordinator.LoopEvent.Begun;
import dev.braid.loop.coordinator.LoopEvent.CannotHold;
import dev.braid.loop.coordinator.LoopEvent.EpochScore;
import dev.braid.loop.coordinator.LoopEvent.Frozen;
import dev.braid.loop.coordinator.LoopEvent.Held;
import dev.braid.loop.coordinator.LoopEvent.Joined;
import dev.braid.loop.coordinator.LoopEvent.PathsOpen;
import dev.braid.loop.coordinator.LoopEvent.Resumed;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.Verdict;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.wire.DamagedStateException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.checkpoint.CheckpointFailureReason;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.messages.Acknowledge;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator.SubtaskGateway;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.apache.flink.util.FlinkException;
import org.junit.jupiter.api.Test;

/** Tests the translation between Flink and the coordinator of a loop with one member. */
class LoopCoordinatorTest {

  private final List<Throwable> failures = new ArrayList<>();
  private final List<OperatorEvent> sent = new ArrayList<>();
  private final LoopCoordinator coordinator = newCoordinator();

  private LoopCoordinator newCoordinator() {
    return new LoopCoordinator(1, failures::add, StoppingRule.at(0.9), 0);
  }

  @Test
  void eventsCrossInsideThoseOfFlink() throws Exception {
    begin();
    assertThat(sent).containsExactly(new LoopOperatorEvent(new Begin(4096, List.of(7L))));
    assertThatThrownBy(
            () ->
                coordinator.handleEventFromOperator(
                    0, 0, new LoopOperatorEvent(new Verdict(0, true))))
        .isInstanceOf(FlinkException.class)
        .hasMessageContaining("unknown event from worker 0");
  }

  @Test
  void aStateIsRestoredInTheSameProcessAndInAnother() throws Exception {
    begin();
    tell(new EpochScore(0, 0, 10, 10, List.of()));
    byte[] state = takeCheckpoint(7);

    LoopCoordinator other = newCoordinator();
    other.resetToCheckpoint(7, state);
    other.start();
    coordinator.subtaskReset(0, 7);
    for (LoopCoordinator restored : List.of(other, coordinator)) {
      sent.clear();
      restored.executionAttemptReady(0, 1, new Gateway());
      restored.handleEventFromOperator(
          0, 1, new LoopOperatorEvent(new EpochScore(0, 0, 1, 10, List.of())));
      assertThat(sent).containsExactly(new LoopOperatorEvent(new Verdict(0, true)));
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void aStateOfWhichABitHasChangedIsRefused() throws Exception {
    begin();
    byte[] saved = takeCheckpoint(1);
    coordinator.start();
    for (int bit = 0; bit < Byte.SIZE * saved.length; bit++) {
      byte[] other = saved.clone();
      other[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThatThrownBy(() -> coordinator.resetToCheckpoint(1, other))
          .as("bit %d", bit)
          .isInstanceOf(DamagedStateException.class);
    }
  }

  /** Flink does not end a job whose coordinator cannot be restored before it starts. */
  @Test
  void aStateThatIsDamagedEndsTheJobOnceItStarts() throws Exception {
    begin();
    byte[] state = takeCheckpoint(7);
    state[2] ^= 1;

    LoopCoordinator restored = newCoordinator();
    restored.resetToCheckpoint(7, state);
    assertThat(failures).isEmpty();
    restored.start();
    assertThat(failures).singleElement().isInstanceOf(SuppressRestartsException.class);
  }

  @Test
  void flinkIsToldWhoCannotBeReached_andCountsNoFailure() throws Exception {
    begin();
    CompletableFuture<byte[]> checkpoint = new CompletableFuture<>();
    coordinator.checkpointCoordinator(1, checkpoint);
    tell(new PathsOpen(1));
    tell(new CannotHold(1, List.of(2)));
    String reason = "rank 2 is unreachable; a checkpoint is possible when it has rejoined";
    assertThat(failure(checkpoint))
        .isInstanceOf(CheckpointException.class)
        .hasRootCauseMessage(reason)
        .hasMessageContaining(reason)
        .extracting("checkpointFailureReason")
        .isEqualTo(CheckpointFailureReason.NOT_ALL_REQUIRED_TASKS_RUNNING);
  }

  @Test
  void whereAMemberDoesNotRun_theCheckpointFails() {
    CompletableFuture<byte[]> checkpoint = new CompletableFuture<>();
    coordinator.checkpointCoordinator(1, checkpoint);
    assertThat(failure(checkpoint))
        .isInstanceOf(FlinkException.class)
        .hasMessage("not all 1 workers are running");
  }

  @Test
  void whereBuffersAreTooFew_onlyAJobThatHasNeverRunEnds() throws Exception {
    IOException reason = new IOException(TooFewBuffersException.WORDS + ": required 9");
    coordinator.executionAttemptFailed(0, 0, reason);
    assertThat(failures).singleElement().isInstanceOf(TooFewBuffersException.class);

    failures.clear();
    begin();
    coordinator.executionAttemptFailed(0, 0, reason);
    assertThat(failures).isEmpty();
  }

  @Test
  void theNumberOfNoCheckpointIsFlinks() {
    assertThat(Coordinator.NO_CHECKPOINT).isEqualTo(OperatorCoordinator.NO_CHECKPOINT);
  }

  private static Throwable failure(CompletableFuture<byte[]> checkpoint) {
    assertThat(checkpoint).isCompletedExceptionally();
    return checkpoint.handle((state, reason) -> reason).join();
  }

  private void begin() throws Exception {
    coordinator.executionAttemptReady(0, 0, new Gateway());
    tell(new Joined(4096, 7));
    tell(new Begun());
  }

  private void tell(ToCoordinator event) throws Exception {
    coordinator.handleEventFromOperator(0, 0, new LoopOperatorEvent(event));
  }

  private byte[] takeCheckpoint(long checkpoint) throws Exception {
    CompletableFuture<byte[]> state = new CompletableFuture<>();
    coordinator.checkpointCoordinator(checkpoint, state);
    tell(new PathsOpen(checkpoint));
    tell(new Frozen(checkpoint, 3));
    tell(new Held(checkpoint));
    tell(new Resumed(checkpoint));
    coordinator.notifyCheckpointComplete(checkpoint);
    return state.join();
  }

  private final class Gateway implements SubtaskGateway {

    @Override
    public CompletableFuture<Acknowledge> sendEvent(OperatorEvent event) {
      sent.add(event);
      return CompletableFuture.completedFuture(Acknowledge.get());
    }

    @Override
    public ExecutionAttemptID getExecution() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int getSubtask() {
      return 0;
    }
  }
}
