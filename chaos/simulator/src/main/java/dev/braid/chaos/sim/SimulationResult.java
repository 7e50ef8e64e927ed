package dev.braid.chaos.sim;

import dev.braid.exchange.participation.View;
import java.util.Arrays;
import java.util.List;

/**
 * What a simulation has led to.
 *
 * @param replicas by rank: the model's vector, which began as zeros and took a step of −1 along the
 *     mean of each gradient sum
 * @param completedRounds by rank that computes: how many rounds it says it has completed, in the
 *     end
 * @param roundEndNanos by round that was asked for: when the last rank completed it
 * @param endNanos when all was done
 * @param traffic what was sent
 * @param faults what faults did, and what exchanges did about them
 * @param events how many events happened
 * @param digest of all events and their times: equal for two runs only if they went the same way
 * @param unreleased how many received slices the exchanges have not released; costs an allocation
 *     each in a real run
 * @param pauses how many checkpoints were taken
 * @param declined how many were declined, as a rank could not be reached
 * @param crashes how often all ranks crashed
 * @param partlyEvaluated how many epochs were evaluated on a part of the test set only
 * @param reported by rank: the epochs that it has reported
 * @param views in which ranks took part, in their order
 */
public record SimulationResult(
    float[][] replicas,
    long[] completedRounds,
    long[] roundEndNanos,
    long endNanos,
    Traffic traffic,
    FaultCounts faults,
    long events,
    long digest,
    long unreleased,
    int pauses,
    int declined,
    int crashes,
    int partlyEvaluated,
    List<List<Integer>> reported,
    List<View> views) {

  /** How many rounds every rank has completed. */
  public long rounds() {
    return Arrays.stream(completedRounds).min().orElseThrow();
  }

  /** The time from the end of the round before, or from the start, to the end of this round. */
  public long roundNanos(int round) {
    return roundEndNanos[round] - (round == 0 ? 0 : roundEndNanos[round - 1]);
  }
}
