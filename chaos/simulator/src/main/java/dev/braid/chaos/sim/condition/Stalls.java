package dev.braid.chaos.sim.condition;

import java.util.SplittableRandom;

/**
 * Times when ranks stall, as a process does during a long garbage collection or without its share
 * of the processor: nothing happens at such a rank, while links and the other ranks continue.
 */
@FunctionalInterface
public interface Stalls {

  /** No rank ever stalls. */
  Stalls NONE = (rank, nanos) -> nanos;

  /** Returns when a rank does something that is due at this time: the same time, or a later one. */
  long doneNanos(int rank, long nanos);

  /** Returns a single stall of one rank. */
  static Stalls once(int stalled, long fromNanos, long toNanos) {
    return (rank, nanos) ->
        rank == stalled && nanos >= fromNanos && nanos < toNanos ? toNanos : nanos;
  }

  /** Returns stalls of each rank independently, one in every interval, up to a maximum duration. */
  static Stalls random(long seed, long intervalNanos, long maxNanos) {
    if (maxNanos > intervalNanos / 2) {
      throw new IllegalArgumentException(
          "stalls of up to %d ns every %d ns: must be at most half of the interval"
              .formatted(maxNanos, intervalNanos));
    }
    return (rank, nanos) -> {
      long interval = nanos / intervalNanos;
      SplittableRandom random = Seeds.of(Seeds.mix(seed, rank), interval);
      long length = random.nextLong(maxNanos + 1);
      long begin = interval * intervalNanos + random.nextLong(intervalNanos - length);
      return nanos >= begin && nanos < begin + length ? begin + length : nanos;
    };
  }
}
