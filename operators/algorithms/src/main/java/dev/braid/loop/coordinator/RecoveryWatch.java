package dev.braid.loop.coordinator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Measures for how long training stands still after a failure, and the parts of this time.
 *
 * <pre>
 *   last round        Flink fails      last task        all have        first round
 *   of survivors      the tasks        deployed         their state     after it
 *       │── detection ────│── restart ─────│── restore ─────│── first round ──│
 * </pre>
 *
 * <p>Surviving workers report the time of their last round when they join again; workers that were
 * killed cannot. Regular reports of rounds would be traffic, and a busy JobManager could fail a job
 * because of it. If a restart fails, too, both failures count as one recovery, which takes the time
 * of both.
 */
final class RecoveryWatch {

  /** Maximum number of recoveries to report, the last ones; a job may fail forever. */
  private static final int MOST_TOLD = 100;

  private final LongSupplier clockMillis;
  private final List<Recovery> recoveries = new ArrayList<>();
  private boolean hasTrained;

  private OptionalLong lastRoundMillis = OptionalLong.empty();
  private long roundsBefore;
  private OptionalLong failedMillis = OptionalLong.empty();
  private long deployedMillis;
  private long restoredMillis;

  /**
   * Creates the watch of a job that begins.
   *
   * @param clockMillis milliseconds since 1970
   */
  RecoveryWatch(LongSupplier clockMillis) {
    this.clockMillis = clockMillis;
  }

  /** Notes that a task has failed, or is ended because another has failed. */
  void failed() {
    // A failure before any training interrupts nothing.
    if (hasTrained && failedMillis.isEmpty()) {
      failedMillis = OptionalLong.of(clockMillis.getAsLong());
    }
  }

  /** Notes that a worker's task is deployed. */
  void deployed() {
    deployedMillis = clockMillis.getAsLong();
  }

  /**
   * Notes the last round of an earlier attempt's workers in the process of a worker.
   *
   * @param completedRounds number of rounds that they had completed
   * @param forMillis milliseconds since the last of these rounds
   */
  void stoodStill(long completedRounds, long forMillis) {
    long millis = clockMillis.getAsLong() - forMillis;
    if (lastRoundMillis.isEmpty() || millis > lastRoundMillis.getAsLong()) {
      lastRoundMillis = OptionalLong.of(millis);
      roundsBefore = completedRounds;
    }
  }

  /** Notes that all workers have their state. */
  void restored() {
    restoredMillis = clockMillis.getAsLong();
  }

  /**
   * Notes that a worker has completed its first round of this attempt.
   *
   * @param completedRounds number of completed rounds, including this one
   * @return all known recoveries, if a recovery ends with this round
   */
  Optional<List<Recovery>> firstRound(long completedRounds) {
    hasTrained = true;
    if (lastRoundMillis.isEmpty() && failedMillis.isEmpty()) {
      return Optional.empty();
    }
    recoveries.add(recovery(completedRounds));
    lastRoundMillis = OptionalLong.empty();
    failedMillis = OptionalLong.empty();
    return Optional.of(
        List.copyOf(
            recoveries.subList(Math.max(0, recoveries.size() - MOST_TOLD), recoveries.size())));
  }

  private Recovery recovery(long completedRounds) {
    boolean isWhole = lastRoundMillis.isPresent() && failedMillis.isPresent();
    long begun = lastRoundMillis.orElseGet(failedMillis::getAsLong);
    // Asynchronous workers continue while others are missing, and slightly longer than Flink knows.
    long failed = Math.max(begun, failedMillis.orElse(begun));
    long deployed = Math.max(failed, deployedMillis);
    long restored = Math.max(deployed, restoredMillis);
    long now = Math.max(restored, clockMillis.getAsLong());
    return new Recovery(
        now,
        isWhole ? failed - begun : Recovery.UNKNOWN,
        deployed - failed,
        restored - deployed,
        now - restored,
        lastRoundMillis.isPresent()
            ? Math.max(0, roundsBefore - (completedRounds - 1))
            : Recovery.UNKNOWN);
  }
}
