package dev.braid.loop.coordinator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Measures how long training stands still for a failure, and what takes the time.
 *
 * <pre>
 *   last round        Flink fails      last task        all have        first round
 *   of survivors      the tasks        deployed         their state     after it
 *       │── detection ────│── restart ─────│── restore ─────│── first round ──│
 * </pre>
 *
 * <p>When the last round was, workers say that were there and still are, when they join again:
 * those that were killed cannot, and to be told of rounds all the time would be traffic that a
 * JobManager which is busy could fail a job for. Where a restart fails, too, it is one recovery,
 * which takes as long as all of it.
 */
final class RecoveryWatch {

  /** The last ones are told; of a job that fails for ever, not all. */
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
   * Of a job that begins.
   *
   * @param clockMillis since 1970
   */
  RecoveryWatch(LongSupplier clockMillis) {
    this.clockMillis = clockMillis;
  }

  /** A task has failed, or is ended because another has. */
  void failed() {
    // What fails before there was any training interrupts none.
    if (hasTrained && failedMillis.isEmpty()) {
      failedMillis = OptionalLong.of(clockMillis.getAsLong());
    }
  }

  /** A worker's task is deployed. */
  void deployed() {
    deployedMillis = clockMillis.getAsLong();
  }

  /** Workers of an attempt before had completed so many rounds where this one is now. */
  void stoodStill(long completedRounds, long forMillis) {
    long millis = clockMillis.getAsLong() - forMillis;
    if (lastRoundMillis.isEmpty() || millis > lastRoundMillis.getAsLong()) {
      lastRoundMillis = OptionalLong.of(millis);
      roundsBefore = completedRounds;
    }
  }

  /** All workers have their state. */
  void restored() {
    restoredMillis = clockMillis.getAsLong();
  }

  /**
   * A worker has completed its first round of this attempt.
   *
   * @param completedRounds how many are complete with it
   * @return all recoveries that are known, if one is over with this
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
    // Asynchronous workers go on while others are missed, and a little longer than Flink knows.
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
