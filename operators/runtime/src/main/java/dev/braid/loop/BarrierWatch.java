package dev.braid.loop;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.runtime.checkpoint.channel.InputChannelInfo;
import org.apache.flink.runtime.io.network.api.CancelCheckpointMarker;
import org.apache.flink.runtime.io.network.api.CheckpointBarrier;
import org.apache.flink.streaming.runtime.io.checkpointing.CheckpointBarrierHandler;
import org.apache.flink.streaming.runtime.io.checkpointing.SingleCheckpointBarrierHandler;
import org.apache.flink.streaming.runtime.tasks.StreamTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels a checkpoint if one of its barriers does not arrive in time, so that a rank does not stop
 * receiving messages for long.
 *
 * <p>Barriers are aligned: a task that has received the barriers of some members reads nothing more
 * from these members until all barriers have arrived. {@code PathProbes} checks beforehand that
 * barriers can arrive. However, a network path that is cut after the last probe may delay a barrier
 * until the path works again. Until then neither rank of the path would receive a message, and the
 * exchange would exclude both, even if another route leads to them.
 *
 * <p>The time that barriers take differs between machines. The limit is therefore twice the
 * previous time, but at least one second. It doubles with each cancelled checkpoint, so that a
 * later checkpoint completes if barriers are only slow. Flink's own time-out of checkpoints does
 * not end an alignment; this watch also does so when Flink cancels a checkpoint for another reason.
 *
 * <p>Savepoints are not cancelled: a user has asked for the savepoint, and a job that is to stop
 * with it would restart instead. When the task's input has ended, Flink stops the task's timers,
 * and with them this watch.
 *
 * <p>All methods must be called by the task's thread.
 */
final class BarrierWatch {

  /** Interval between two checks, which are cheap. */
  static final Duration INTERVAL = Duration.ofMillis(250);

  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final Logger LOG = LoggerFactory.getLogger(BarrierWatch.class);

  private final CheckpointBarrierHandler barriers;

  /** Field of the handler with its latest checkpoint's first barrier; null after cancellation. */
  private final Field pending;

  private final String of;

  /** The latest checkpoint whose barriers have all arrived, or that was cancelled. */
  private long settled = -1;

  private long limitNanos = LEAST.toNanos();

  /**
   * The checkpoint that the last check found to take too long. It is cancelled only at the next
   * check, so that barriers that arrived during a pause are read first.
   */
  private long overdue = -1;

  private BarrierWatch(CheckpointBarrierHandler barriers, Field pending, String of) {
    this.barriers = barriers;
    this.pending = pending;
    this.of = of;
  }

  /**
   * Returns a watch for a task's barriers; empty if Flink does not show them or the task has none.
   */
  static Optional<BarrierWatch> over(StreamTask<?, ?> task) {
    try {
      Method handler = StreamTask.class.getDeclaredMethod("getCheckpointBarrierHandler");
      handler.setAccessible(true);
      Field pending =
          SingleCheckpointBarrierHandler.class.getDeclaredField("pendingCheckpointBarrier");
      pending.setAccessible(true);
      return ((Optional<?>) handler.invoke(task))
          .filter(SingleCheckpointBarrierHandler.class::isInstance)
          .map(SingleCheckpointBarrierHandler.class::cast)
          .map(barriers -> new BarrierWatch(barriers, pending, task.getName()));
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn(
          "this version of Flink shows no barriers: if a network path fails during a "
              + "checkpoint, training may stop until the path works again",
          e);
      return Optional.empty();
    }
  }

  /** Notes that all barriers of a checkpoint have arrived. */
  void allHere(long checkpoint) {
    settled = checkpoint;
    limitNanos = Math.max(LEAST.toNanos(), 2 * barriers.getAlignmentDurationNanos());
  }

  /** Cancels the checkpoint whose barriers take too long, if there is one. */
  void look() throws Exception {
    long checkpoint = barriers.getLatestCheckpointId();
    long nanos = barriers.getAlignmentDurationNanos();
    if (nanos <= limitNanos || !isUnderWay(checkpoint)) {
      return;
    }
    if (checkpoint != overdue) {
      overdue = checkpoint;
      return;
    }
    limitNanos *= 2;
    LOG.warn(
        "{} abandons checkpoint {}: after {} ms, barriers of some workers are missing",
        of,
        checkpoint,
        Duration.ofNanos(nanos).toMillis());
    giveUp(checkpoint);
  }

  /** Handles a checkpoint that Flink has cancelled: stops waiting for its barriers. */
  void aborted(long checkpoint) throws Exception {
    if (checkpoint == barriers.getLatestCheckpointId() && isUnderWay(checkpoint)) {
      giveUp(checkpoint);
    }
  }

  private boolean isUnderWay(long checkpoint) throws IllegalAccessException {
    return checkpoint > settled
        && pending.get(barriers) instanceof CheckpointBarrier barrier
        && !barrier.getCheckpointOptions().getCheckpointType().isSavepoint();
  }

  /**
   * Sends Flink the cancellation that a worker outside the checkpoint would send; any worker will
   * do.
   */
  private void giveUp(long checkpoint) throws IOException {
    settled = checkpoint;
    barriers.processCancellationBarrier(
        new CancelCheckpointMarker(checkpoint), new InputChannelInfo(0, 0));
  }
}
