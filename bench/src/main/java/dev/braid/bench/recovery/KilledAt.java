package dev.braid.bench.recovery;

import dev.braid.loop.coordinator.Recovery;

/**
 * A recovery of which it is known when it had to begin.
 *
 * @param millis when the TaskManager was killed, since 1970
 */
record KilledAt(long millis, Recovery recovery) {

  long totalMillis() {
    return recovery.atMillis() - millis;
  }

  /** From the kill, and not from the last round before it. */
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
