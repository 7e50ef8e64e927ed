package dev.braid.loop;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which round a job's workers in this JVM had completed last, and when: the one thing that outlives
 * an attempt to run the job here, so that the next one can say for how long training stood still.
 *
 * <p>By the job's id. A process that has lost no slots of a job keeps the job's classes, and this
 * with them; where it does not, nothing is known, and nothing is left behind.
 */
final class LastRounds {

  private static final Map<String, LastRound> BY_JOB = new ConcurrentHashMap<>();

  /**
   * A round.
   *
   * @param completedRounds how many were complete with it
   * @param nanos when, by this JVM's clock
   */
  record LastRound(long completedRounds, long nanos) {

    /** For how long there has been none after it. */
    long quietMillis(long nowNanos) {
      return (nowNanos - nanos) / 1_000_000;
    }

    private LastRound orLater(LastRound other) {
      return other.nanos - nanos > 0 ? other : this;
    }
  }

  private LastRounds() {}

  /** A worker's attempt ends, which had completed this round last. */
  static void note(String job, LastRound round) {
    BY_JOB.merge(job, round, LastRound::orLater);
  }

  /** What attempts before have left. */
  static Optional<LastRound> of(String job) {
    return Optional.ofNullable(BY_JOB.get(job));
  }

  /** The job has come to its end. */
  static void forget(String job) {
    BY_JOB.remove(job);
  }
}
