package dev.braid.loop.coordinator;

import dev.braid.loop.coordinator.LoopEvent.AwaitRound;
import java.util.Optional;

/**
 * When the loop may be held again. A hold sets the round under way back to its beginning: where
 * checkpoints come sooner than a round takes, as over slow links, no round would ever be complete.
 * So after a hold that found no new round, the next one waits for a round, and those after it, too,
 * until rounds come faster than checkpoints again.
 *
 * <p>It does not wait for ever: a round may be stuck for a link that is cut, and the job be stopped
 * with a savepoint meanwhile. Each hold that finds no new round doubles how long the next one waits
 * at most. So a round of up to five minutes is complete after a few, and a savepoint waits no
 * longer than training has stood still at a time.
 *
 * <p>Nobody is asked for rounds as long as they come faster than checkpoints. Members that flush
 * set nothing back, and say at once that they may be held.
 */
final class HoldPacing {

  private static final long LEAST_PATIENCE_MILLIS = 1_000;

  /** Half of how long Flink lets a checkpoint take where nothing else is set. */
  private static final long MOST_PATIENCE_MILLIS = 300_000;

  private static final long NONE = -1;

  private long rounds = NONE;

  /** 0 where holds wait for nothing. */
  private long patienceMillis;

  /** The loop was held after so many rounds. */
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

  /** What to ask members before the loop is held for this checkpoint; nothing if it may be now. */
  Optional<AwaitRound> question(long checkpoint) {
    return patienceMillis == 0
        ? Optional.empty()
        : Optional.of(new AwaitRound(checkpoint, rounds, patienceMillis));
  }
}
