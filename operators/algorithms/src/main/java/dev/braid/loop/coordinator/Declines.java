package dev.braid.loop.coordinator;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Log messages about checkpoints that are declined because ranks are unreachable. Such checkpoints
 * may come every second, so one is logged only if a rank is unreachable that has not been logged.
 */
final class Declines {

  /** Ranks that have been logged as unreachable. */
  private final BitSet told = new BitSet();

  private long count;

  /**
   * Counts a declined checkpoint.
   *
   * @return the message to log, if it is news
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
   * Notes that all members are held for a checkpoint.
   *
   * @return the message to log, if checkpoints were declined before
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

  /** Returns the reason for which a checkpoint is declined. */
  static String reason(List<Integer> unreachable) {
    String ranks =
        unreachable.stream().sorted().map(Object::toString).collect(Collectors.joining(", "));
    return unreachable.size() == 1
        ? "rank " + ranks + " is unreachable; a checkpoint is possible when it has rejoined"
        : "ranks " + ranks + " are unreachable; a checkpoint is possible when they have rejoined";
  }
}
