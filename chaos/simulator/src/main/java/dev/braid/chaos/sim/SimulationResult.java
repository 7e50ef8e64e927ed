package dev.braid.chaos.sim;

import dev.braid.exchange.participation.View;
import java.util.Arrays;
import java.util.List;

/**
 * Result of a simulation.
 *
 * @param replicas by rank: the model's vector, which began as zeros and took a step of −1 along the
 *     mean of each gradient sum
 * @param completedRounds number of rounds that each worker has completed at the end
 * @param roundEndNanos time when the last rank completed each requested round, in nanoseconds
 * @param endNanos time when the run ended, in nanoseconds
 * @param traffic messages that were sent
 * @param faults effects of faults, and the responses of exchanges
 * @param events number of events
 * @param digest digest of all events and their times; equal for two runs only if they took the same
 *     course
 * @param unreleased number of received slices that the exchanges have not released, each of which
 *     costs an allocation in a real run
 * @param pauses number of checkpoints that were taken
 * @param declined number of checkpoints that were declined, since a rank could not be reached
 * @param crashes number of crashes of all ranks
 * @param partlyEvaluated number of epochs that were evaluated on a part of the test set only
 * @param reported epochs that each rank has reported, by rank
 * @param views views in which ranks took part, in order
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

  /**
   * Figures that runs of all kinds have.
   *
   * @param events number of events
   * @param endNanos time when the run ended, in nanoseconds
   * @param digest digest of all events and their times
   * @param faults counts of faults and other events
   */
  public record Summary(long events, long endNanos, long digest, FaultCounts faults) {}

  /** Returns the figures that runs of all kinds have. */
  public Summary summary() {
    return new Summary(events, endNanos, digest, faults);
  }

  /** Returns the number of rounds that every rank has completed. */
  public long rounds() {
    return Arrays.stream(completedRounds).min().orElseThrow();
  }

  /**
   * Returns the time from the end of the previous round, or from the start, to the end of this
   * round, in nanoseconds.
   */
  public long roundNanos(int round) {
    return roundEndNanos[round] - (round == 0 ? 0 : roundEndNanos[round - 1]);
  }
}
