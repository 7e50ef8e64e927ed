package dev.braid.loop.coordinator;

import dev.braid.loop.coordinator.LoopEvent.AwaitRound;
import java.util.Optional;

/**
 * Decides when the loop may be held again. A hold sets the round in progress back to its beginning.
 * If checkpoints are more frequent than rounds, for example over slow links, no round would ever
 * complete. After a hold that found no new round, the next hold therefore waits for a round. So do
 * later holds, until rounds are more frequent than checkpoints again.
 *
 * <p>The wait is limited: a round may be stuck because a link is cut, and the job may be stopped
 * with a savepoint meanwhile. Each hold that finds no new round doubles the limit of the next wait.
 * A round of up to five minutes is thus complete after a few holds, and a savepoint waits no longer
 * than training has stood still at a time.
 *
 * <p>Members are not asked for rounds while these are more frequent than checkpoints. Members that
 * flush set nothing back, and answer at once that they may be held.
 */
final class HoldPacing {

  private static final long LEAST_PATIENCE_MILLIS = 1_000;

  /** Half of Flink's default time-out of a checkpoint. */
  private static final long MOST_PATIENCE_MILLIS = 300_000;

  private static final long NONE = -1;

  private long rounds = NONE;

  /** Limit of the wait for a round, in milliseconds; 0 if holds do not wait. */
  private long patienceMillis;

  /** Notes that the loop was held after {@code newRounds} rounds. */
  void held(long newRounds) {
    if (rounds != NONE) {
      long complete = newRounds - rounds;
      if (complete <= 0) {
        long doubled = Math.max(LEAST_PATIENCE_MILLIS, 2 * patienceMillis);
        patienceMillis = Math.min(MOST_PATIENCE_MILLIS, doubled);
      } else if (complete > 1) {
        patienceMillis = 0;
      }
    }
    rounds = newRounds;
  }

  /**
   * Returns the question to all members before the loop is held for this checkpoint; empty if it
   * may be held at once.
   */
  Optional<AwaitRound> question(long checkpoint) {
    return patienceMillis == 0
        ? Optional.empty()
        : Optional.of(new AwaitRound(checkpoint, rounds, patienceMillis));
  }
}
