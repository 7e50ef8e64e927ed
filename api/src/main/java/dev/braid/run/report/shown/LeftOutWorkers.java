package dev.braid.run.report.shown;

import java.util.List;
import java.util.Optional;

/**
 * What is said of those who go on without others. Workers tell one after the other that they are
 * left out: it is said when no other has done so for a while.
 */
public final class LeftOutWorkers {

  /** Each worker speaks a few times a second, and tells after a second whom it waits for. */
  static final long SETTLED_NANOS = 2_000_000_000L;

  /** What others do without some of as many workers, where that is another thing than before. */
  @FunctionalInterface
  public interface Words {

    /** None, of an exchange that goes on as before. */
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
   * A line, if there is something to say.
   *
   * @param now who is left out
   * @param workers how many there are, with those
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
