package dev.braid.bench.recovery;

import dev.braid.loop.coordinator.Recovery;

/**
 * A recovery from a failure whose time is known.
 *
 * @param millis time at which the TaskManager was killed, in milliseconds since 1970
 */
record KilledAt(long millis, Recovery recovery) {

  long totalMillis() {
    return recovery.atMillis() - millis;
  }

  /** Returns the time from the kill, instead of from the last round before it, to the detection. */
  long detectionMillis() {
    return totalMillis()
        - recovery.restartMillis()
        - recovery.restoreMillis()
        - recovery.firstRoundMillis();
  }

  long repeatedRounds() {
    return recovery.repeatedRounds();
  }

  @Override
  public String toString() {
    return "%d = %d + %d + %d + %d"
        .formatted(
            totalMillis(),
            detectionMillis(),
            recovery.restartMillis(),
            recovery.restoreMillis(),
            recovery.firstRoundMillis());
  }
}
