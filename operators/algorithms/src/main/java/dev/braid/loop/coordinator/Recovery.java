package dev.braid.loop.coordinator;

import java.io.Serializable;

/**
 * The parts of the time from a loop's last round before a failure to its next round, in
 * milliseconds by the coordinator's clock. The parts follow each other.
 *
 * @param atMillis time at which the next round was complete, in milliseconds since 1970
 * @param detectionMillis time from the last round of any surviving worker until Flink failed the
 *     job's tasks. {@link #UNKNOWN} if no such worker was left, or if Flink has created a new
 *     coordinator: then the next part begins at the earliest known time
 * @param restartMillis time until the last of the workers' tasks was deployed
 * @param restoreMillis time until all of them had their state
 * @param firstRoundMillis time until a worker had completed a round
 * @param repeatedRounds number of completed rounds that were repeated because the checkpoint was
 *     older; {@link #UNKNOWN} if no worker was left that knew it
 */
public record Recovery(
    long atMillis,
    long detectionMillis,
    long restartMillis,
    long restoreMillis,
    long firstRoundMillis,
    long repeatedRounds)
    implements Serializable {

  /** Value of an unknown figure. */
  public static final long UNKNOWN = -1;

  /** Returns the known part of the time for which training stood still, in milliseconds. */
  public long totalMillis() {
    return Math.max(0, detectionMillis) + restartMillis + restoreMillis + firstRoundMillis;
  }
}
