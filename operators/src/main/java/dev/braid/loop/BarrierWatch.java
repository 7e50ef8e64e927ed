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
 * Gives a checkpoint up when a barrier of it stays away, so that a rank is not deaf meanwhile.
 *
 * <p>Barriers are aligned: a task that has those of some members reads nothing more from them
 * before it has all. {@link PathProbes} see to it that they can arrive; but a network path that is
 * cut after the last probe may hold one back, until it is whole again. Then neither of its ranks
 * would receive a message, and the exchange would exclude both, even if another route leads to
 * them.
 *
 * <p>How long barriers take to come differs with the machine: the limit is twice what they took
 * last time, but at least a second, and doubles with each checkpoint that is given up: where
 * barriers are only slow, a later checkpoint is complete. Flink's own time-out of checkpoints ends
 * no alignment; so this does where Flink gives a checkpoint up for another reason.
 *
 * <p>Savepoints are waited for: somebody has asked for one, and a job that is to stop with it would
 * restart instead. When the task's input has ended, Flink stops its timers, and so the watch.
 *
 * <p>All methods belong to the task's thread.
 */
final class BarrierWatch {

  /** How often to look; a look costs nothing. */
  static final Duration INTERVAL = Duration.ofMillis(250);

  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final Logger LOG = LoggerFactory.getLogger(BarrierWatch.class);

  private final CheckpointBarrierHandler barriers;

  /** Field of the handler with its latest checkpoint's first barrier; null after cancellation. */
  private final Field pending;

  private final String of;

  /** The latest checkpoint of which all barriers came, or that was given up. */
  private long settled = -1;

  private long limitNanos = LEAST.toNanos();

  /**
   * What the last look found to take too long: what has come in a pause is read before the next.
   */
  private long overdue = -1;

  private BarrierWatch(CheckpointBarrierHandler barriers, Field pending, String of) {
    this.barriers = barriers;
    this.pending = pending;
    this.of = of;
  }

  /**
   * Watches over a task's barriers; nothing where Flink does not show them, or the task has none.
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

  /** All barriers of a checkpoint have come. */
  void allHere(long checkpoint) {
    settled = checkpoint;
    limitNanos = Math.max(LEAST.toNanos(), 2 * barriers.getAlignmentDurationNanos());
  }

  /** Gives up the checkpoint whose barriers take too long, if there is one. */
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

  /** Flink has given a checkpoint up: nothing waits for its barriers any more. */
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

  /** Tells Flink what a worker that takes no part would tell it; which worker does not matter. */
  private void giveUp(long checkpoint) throws IOException {
    settled = checkpoint;
    barriers.processCancellationBarrier(
        new CancelCheckpointMarker(checkpoint), new InputChannelInfo(0, 0));
  }
}
