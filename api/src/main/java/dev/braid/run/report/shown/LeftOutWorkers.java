package dev.braid.run.report.shown;

import java.util.List;
import java.util.Optional;

/**
 * Note on excluded workers. Workers report one after the other that they are excluded, so the note
 * is made when the set has not changed for a while.
 */
public final class LeftOutWorkers {

  /**
   * Time after which the set of excluded workers counts as stable. Each worker reports a few times
   * a second, and names the workers that it waits for after a second.
   */
  static final long SETTLED_NANOS = 2_000_000_000L;

  /** Describes how an exchange continues without some workers, if that differs from before. */
  @FunctionalInterface
  public interface Words {

    /** No description, for an exchange that continues as before. */
    Words NONE = (leftOut, workers) -> Optional.empty();

    Optional<String> without(List<Integer> leftOut, int workers);
  }

  private final Words words;
  private List<Integer> leftOut = List.of();
  private long sinceNanos;
  private Optional<String> said = Optional.empty();

  LeftOutWorkers(Words words) {
    this.words = words;
  }

  /**
   * Returns a line, if there is something to say.
   *
   * @param now workers that are excluded
   * @param workers number of workers, including these
   */
  Optional<String> note(List<Integer> now, int workers, long nowNanos) {
    if (!now.equals(leftOut)) {
      leftOut = now;
      sinceNanos = nowNanos;
      said = Optional.empty();
    }
    if (said.isEmpty() && nowNanos - sinceNanos >= SETTLED_NANOS) {
      said = words.without(leftOut, workers);
    }
    return said;
  }
}
