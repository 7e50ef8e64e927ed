package dev.braid.loop;

import dev.braid.loop.coordinator.Coordinator;
import dev.braid.loop.coordinator.CoordinatorGateway;
import dev.braid.loop.coordinator.HoldOutcome;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.coordinator.StoppingRule;
import dev.braid.wire.StateChecksum;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.checkpoint.CheckpointFailureReason;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.apache.flink.util.FlinkException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Translates between Flink and the {@link Coordinator} of a loop, which makes all decisions. Flink
 * calls all methods in the job's main thread.
 */
final class LoopCoordinator implements OperatorCoordinator, CoordinatorGateway {

  private static final Logger LOG = LoggerFactory.getLogger(LoopCoordinator.class);

  private final Consumer<Throwable> failJob;
  private final Coordinator coordinator;
  private final Map<Integer, SubtaskGateway> gateways = new HashMap<>();
  private boolean started;

  /**
   * Reason why the state of a checkpoint cannot be restored, until the job ends for that reason.
   */
  private Optional<Throwable> unreadable = Optional.empty();

  /**
   * Creates the coordinator of a loop that has not begun.
   *
   * @param failJob receives the reason for which Flink must end the job
   * @param withoutScore number of members without a score: the last ones
   */
  LoopCoordinator(
      int parallelism, Consumer<Throwable> failJob, StoppingRule rule, int withoutScore) {
    this.failJob = failJob;
    this.coordinator = new Coordinator(parallelism, rule, withoutScore, this);
  }

  @Override
  public void start() {
    started = true;
    unreadable.ifPresent(failJob);
  }

  @Override
  public void close() {
    coordinator.close();
  }

  // ---- checkpoints ---------------------------------------------------------------------------

  @Override
  public void checkpointCoordinator(long checkpoint, CompletableFuture<byte[]> future) {
    coordinator.checkpoint(
        checkpoint,
        new HoldOutcome() {
          @Override
          public void held(byte[] state) {
            future.complete(StateChecksum.sealed(state));
          }

          @Override
          public void declined(String reason) {
            // Flink does not count this reason as a failure, however few a job tolerates, and does
            // not log a stack trace each time. The log shows the message; a user who has asked for
            // a savepoint gets the cause.
            future.completeExceptionally(
                new CheckpointException(
                    reason + ".",
                    CheckpointFailureReason.NOT_ALL_REQUIRED_TASKS_RUNNING,
                    new FlinkException(reason)));
          }

          @Override
          public void failed(String reason) {
            future.completeExceptionally(new FlinkException(reason));
          }
        });
  }

  @Override
  public void notifyCheckpointComplete(long checkpoint) {
    coordinator.completed(checkpoint);
  }

  @Override
  public void notifyCheckpointAborted(long checkpoint) {
    coordinator.aborted(checkpoint);
  }

  @Override
  public void resetToCheckpoint(long checkpoint, byte[] state) throws Exception {
    try {
      coordinator.restore(
          checkpoint, state == null ? Optional.empty() : Optional.of(opened(state)));
    } catch (IOException e) {
      if (started) {
        throw e;
      }
      // Flink does not end a job that fails before it runs; such a job hangs.
      unreadable = Optional.of(new SuppressRestartsException(e));
    }
  }

  private static byte[] opened(byte[] state) throws IOException {
    try (DataInputStream in = StateChecksum.open("the loop's coordinator", state)) {
      return in.readAllBytes();
    }
  }

  // ---- members -------------------------------------------------------------------------------

  @Override
  public void executionAttemptReady(int subtask, int attempt, SubtaskGateway gateway) {
    gateways.put(subtask, gateway);
    coordinator.deployed(subtask, attempt);
  }

  @Override
  public void executionAttemptFailed(int subtask, int attempt, Throwable reason) {
    coordinator.failed(subtask, attempt);
    // Flink gives no reason for a worker that is only restarted with others.
    Optional.ofNullable(reason)
        .filter(known -> !coordinator.hasRun())
        .flatMap(TooFewBuffersException::in)
        .ifPresent(failJob);
  }

  @Override
  public void subtaskReset(int subtask, long checkpoint) {
    coordinator.goBackTo(checkpoint);
  }

  @Override
  public void handleEventFromOperator(int subtask, int attempt, OperatorEvent event)
      throws Exception {
    if (!(event instanceof LoopOperatorEvent ofLoop)
        || !(ofLoop.event() instanceof ToCoordinator toCoordinator)) {
      throw new FlinkException("unknown event from worker " + subtask + ": " + event);
    }
    coordinator.handle(subtask, attempt, toCoordinator);
  }

  // ---- the coordinator's gateway ---------------------------------------------------------------

  @Override
  public void send(int member, ToMember event) {
    // Flink fails the task if an event cannot be delivered, so the result is not checked.
    var unused = gateways.get(member).sendEvent(new LoopOperatorEvent(event));
  }

  @Override
  public long nowMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public void log(Level level, String message) {
    switch (level) {
      case DEBUG -> LOG.debug(message);
      case INFO -> LOG.info(message);
      default -> LOG.warn(message);
    }
  }
}
