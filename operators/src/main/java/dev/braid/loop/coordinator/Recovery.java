package dev.braid.loop.coordinator;

import java.io.Serializable;

/**
 * How a loop has come from its last round before a failure to the next one, by the coordinator's
 * clock. The parts follow each other.
 *
 * @param atMillis when that next round was complete, since 1970
 * @param detectionMillis from the last round of any worker that is still there, until Flink failed
 *     the job's tasks; {@link #UNKNOWN} where no such worker was left, or where Flink has made the
 *     coordinator anew: then the next part begins with what is known
 * @param restartMillis until the last of the workers' tasks was deployed
 * @param restoreMillis until all of them had their state
 * @param firstRoundMillis until a worker had completed a round
 * @param repeatedRounds rounds that had been complete, and were done again as the checkpoint was
 *     older; {@link #UNKNOWN} where no worker was left that knew
 */
public record Recovery(
    long atMillis,
    long detectionMillis,
    long restartMillis,
    long restoreMillis,
    long firstRoundMillis,
    long repeatedRounds)
    implements Serializable {

  /** In the place of a figure. */
  public static final long UNKNOWN = -1;

  /** As much as is known of how long training stood still. */
  public long totalMillis() {
    return Math.max(0, detectionMillis) + restartMillis + restoreMillis + firstRoundMillis;
  }
}
