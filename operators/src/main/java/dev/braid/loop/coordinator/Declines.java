package dev.braid.loop.coordinator;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.checkpoint.CheckpointFailureReason;
import org.apache.flink.util.FlinkException;

/**
 * What is told of checkpoints that are declined because ranks cannot be reached. They may come
 * every second, and are one piece of news.
 */
final class Declines {

  /** Ranks that have been told of. */
  private final BitSet told = new BitSet();

  private long count;

  /**
   * A checkpoint is declined.
   *
   * @return what there is to tell, if it is news
   */
  Optional<String> declined(long checkpoint, List<Integer> unreachable) {
    count++;
    if (unreachable.stream().allMatch(told::get)) {
      return Optional.empty();
    }
    unreachable.forEach(told::set);
    return Optional.of(
        "checkpoint %d declined, training continues: %s"
            .formatted(checkpoint, reason(unreachable)));
  }

  /**
   * All are held for a checkpoint.
   *
   * @return what there is to tell, if any was declined before
   */
  Optional<String> held(long checkpoint) {
    if (count == 0) {
      return Optional.empty();
    }
    String news =
        "checkpoint %d starts after %d declined ones: all ranks are reachable again"
            .formatted(checkpoint, count);
    count = 0;
    told.clear();
    return Optional.of(news);
  }

  /**
   * What Flink is told. This of its reasons counts as no failure, however few a job tolerates, and
   * is not logged with a stack trace each time. The log shows the message; who has asked for a
   * savepoint gets the cause.
   */
  static CheckpointException failure(List<Integer> unreachable) {
    String reason = reason(unreachable);
    return new CheckpointException(
        reason + ".",
        CheckpointFailureReason.NOT_ALL_REQUIRED_TASKS_RUNNING,
        new FlinkException(reason));
  }

  private static String reason(List<Integer> unreachable) {
    String ranks =
        unreachable.stream().sorted().map(Object::toString).collect(Collectors.joining(", "));
    return unreachable.size() == 1
        ? "rank " + ranks + " is unreachable; a checkpoint is possible when it has rejoined"
        : "ranks " + ranks + " are unreachable; a checkpoint is possible when they have rejoined";
  }
}
