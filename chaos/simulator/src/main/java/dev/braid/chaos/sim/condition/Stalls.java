package dev.braid.chaos.sim.condition;

import java.util.SplittableRandom;

/**
 * When ranks stand still, as a process does for a long garbage collection or without its share of
 * the processor: nothing happens at such a rank, while links and the other ranks go on.
 */
@FunctionalInterface
public interface Stalls {

  /** No rank ever stands still. */
  Stalls NONE = (rank, nanos) -> nanos;

  /** When a rank that is to do something at this time does it: the same time, or a later one. */
  long doneNanos(int rank, long nanos);

  /** A rank stands still once. */
  static Stalls once(int stalled, long fromNanos, long toNanos) {
    return (rank, nanos) ->
        rank == stalled && nanos >= fromNanos && nanos < toNanos ? toNanos : nanos;
  }

  /** Each rank by itself stands still once in every interval, for up to so long. */
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
