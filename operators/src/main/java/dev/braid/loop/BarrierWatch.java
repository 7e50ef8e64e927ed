package dev.braid.loop;

import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.runtime.checkpoint.channel.InputChannelInfo;
import org.apache.flink.runtime.io.network.api.CancelCheckpointMarker;
import org.apache.flink.streaming.runtime.io.checkpointing.CheckpointBarrierHandler;
import org.apache.flink.streaming.runtime.tasks.StreamTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a checkpoint up when a barrier of it stays away, so that a rank is not deaf meanwhile.
 *
 * <p>Barriers are aligned: a task that has those of some members reads nothing more from them
 * before it has all. {@link PathProbes} see to it that they can arrive; but a network path that is
 * cut behind the last probe may hold one back, until it is whole again. Then both of its ranks
 * would hear nobody, and the others would go on without them, although there are ways around.
 *
 * <p>How long barriers take to come differs with the machine: a limit is twice what they took last
 * time, and twice as long after each checkpoint that was given up, so that none is given up for
 * ever where they are only slow. (Flink's own time-out of checkpoints ends no alignment.)
 *
 * <p>With the task's input Flink stops its timers, and so the watch: a job's last checkpoint has
 * the time it needs.
 *
 * <p>All methods belong to the task's thread.
 */
final class BarrierWatch {

  /** How often to look; a look costs nothing. */
  static final Duration INTERVAL = Duration.ofMillis(250);

  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final Logger LOG = LoggerFactory.getLogger(BarrierWatch.class);

  private final CheckpointBarrierHandler barriers;
  private final String of;

  /** The latest checkpoint of which all barriers came, or that was given up. */
  private long settled = -1;

  private long limitNanos = LEAST.toNanos();

  private BarrierWatch(CheckpointBarrierHandler barriers, String of) {
    this.barriers = barriers;
    this.of = of;
  }

  /**
   * Watches over a task's barriers; nothing where Flink does not show them, or the task has none.
   */
  static Optional<BarrierWatch> over(StreamTask<?, ?> task) {
    try {
      Method handler = StreamTask.class.getDeclaredMethod("getCheckpointBarrierHandler");
      handler.setAccessible(true);
      return ((Optional<?>) handler.invoke(task))
          .map(CheckpointBarrierHandler.class::cast)
          .map(barriers -> new BarrierWatch(barriers, task.getName()));
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn(
          "this version of Flink shows no barriers: a checkpoint that a cut network path meets may"
              + " stop training until the path is whole again",
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
  void look() throws IOException {
    long checkpoint = barriers.getLatestCheckpointId();
    long nanos = barriers.getAlignmentDurationNanos();
    if (checkpoint > settled && nanos > limitNanos) {
      settled = checkpoint;
      limitNanos *= 2;
      LOG.warn(
          "{} gives up checkpoint {}: after {} ms not all workers' barriers have come",
          of,
          checkpoint,
          Duration.ofNanos(nanos).toMillis());
      // As if a worker, whichever, had said that it takes no part.
      barriers.processCancellationBarrier(
          new CancelCheckpointMarker(checkpoint), new InputChannelInfo(0, 0));
    }
  }
}
