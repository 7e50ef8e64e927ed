package dev.braid.loop;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The last completed round of a job's workers in this JVM, and its time. This is the only state
 * that outlives an attempt of the job in the JVM, so that the next attempt can report for how long
 * training stood still.
 *
 * <p>The state is kept by job id. A process that has lost no slots of a job keeps the job's
 * classes, and with them this state. Otherwise the last round is not known, and nothing is left
 * behind.
 */
final class LastRounds {

  private static final Map<String, LastRound> BY_JOB = new ConcurrentHashMap<>();

  /**
   * A completed round.
   *
   * @param completedRounds number of completed rounds, including this one
   * @param nanos time of its completion in nanoseconds, by this JVM's clock
   */
  record LastRound(long completedRounds, long nanos) {

    /** Returns the milliseconds since this round was completed. */
    long quietMillis(long nowNanos) {
      return (nowNanos - nanos) / 1_000_000;
    }

    private LastRound orLater(LastRound other) {
      return other.nanos - nanos > 0 ? other : this;
    }
  }

  private LastRounds() {}

  /** Notes the last round of a worker whose attempt ends. */
  static void note(String job, LastRound round) {
    BY_JOB.merge(job, round, LastRound::orLater);
  }

  /** Returns the last round of earlier attempts, if there is one. */
  static Optional<LastRound> of(String job) {
    return Optional.ofNullable(BY_JOB.get(job));
  }

  /** Forgets the job, which has ended. */
  static void forget(String job) {
    BY_JOB.remove(job);
  }
}
