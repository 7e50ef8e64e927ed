package dev.braid.job.result;

import java.util.List;

/**
 * How long gradients took, and answers, as the planner of coded exchanges needs it.
 *
 * @param messageSeconds how long a parent took to receive an answer; 0 where that is not known, as
 *     in exchanges in which nobody answers
 * @param secondsOfAll by worker: how long it would have taken for all samples of a round, from the
 *     least to the most, each as likely as the others
 */
public record MeasuredTimes(double messageSeconds, List<List<Double>> secondsOfAll) {

  /** Whether there are times of all workers. */
  public boolean hasAllWorkers() {
    return !secondsOfAll.isEmpty() && secondsOfAll.stream().noneMatch(List::isEmpty);
  }

  /** The times by worker, as arrays. */
  public double[][] byWorker() {
    return secondsOfAll.stream()
        .map(times -> times.stream().mapToDouble(Double::doubleValue).toArray())
        .toArray(double[][]::new);
  }
}
