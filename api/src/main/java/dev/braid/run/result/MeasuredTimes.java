package dev.braid.run.result;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * Measured times of gradients and answers, as the planner of coded exchanges needs them.
 *
 * @param messageSeconds time that a parent took to receive an answer, in seconds; 0 if it is not
 *     known, as in exchanges without answers
 * @param secondsOfAll for each worker, equally likely times that it would have taken for all
 *     samples of a round, in seconds, ascending
 */
public record MeasuredTimes(double messageSeconds, List<List<Double>> secondsOfAll) {

  public MeasuredTimes {
    secondsOfAll = secondsOfAll.stream().map(List::copyOf).toList();
  }

  /** Returns whether there are times of all workers. */
  public boolean hasAllWorkers() {
    return !secondsOfAll.isEmpty() && secondsOfAll.stream().noneMatch(List::isEmpty);
  }

  /**
   * Returns a time that is impossible since it is not finite or below 0; empty if all are possible.
   */
  public OptionalDouble impossible() {
    return DoubleStream.concat(
            DoubleStream.of(messageSeconds),
            secondsOfAll.stream().flatMap(List::stream).mapToDouble(Double::doubleValue))
        .filter(seconds -> !(Double.isFinite(seconds) && seconds >= 0))
        .findFirst();
  }

  /** Returns the times as arrays, by worker. */
  public double[][] byWorker() {
    return secondsOfAll.stream()
        .map(times -> times.stream().mapToDouble(Double::doubleValue).toArray())
        .toArray(double[][]::new);
  }
}
