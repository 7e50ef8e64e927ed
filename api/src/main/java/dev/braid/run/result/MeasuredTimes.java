package dev.braid.run.result;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * How long gradients took, and answers, as the planner of coded exchanges needs it.
 *
 * @param messageSeconds how long a parent took to receive an answer; 0 where that is not known, as
 *     in exchanges in which nobody answers
 * @param secondsOfAll by worker: how long it would have taken for all samples of a round, from the
 *     least to the most, each as likely as the others
 */
public record MeasuredTimes(double messageSeconds, List<List<Double>> secondsOfAll) {

  public MeasuredTimes {
    secondsOfAll = secondsOfAll.stream().map(List::copyOf).toList();
  }

  /** Whether there are times of all workers. */
  public boolean hasAllWorkers() {
    return !secondsOfAll.isEmpty() && secondsOfAll.stream().noneMatch(List::isEmpty);
  }

  /** One that nothing can have taken, as it is not finite or below 0; none where all are sound. */
  public OptionalDouble impossible() {
    return DoubleStream.concat(
            DoubleStream.of(messageSeconds),
            secondsOfAll.stream().flatMap(List::stream).mapToDouble(Double::doubleValue))
        .filter(seconds -> !(Double.isFinite(seconds) && seconds >= 0))
        .findFirst();
  }

  /** The times by worker, as arrays. */
  public double[][] byWorker() {
    return secondsOfAll.stream()
        .map(times -> times.stream().mapToDouble(Double::doubleValue).toArray())
        .toArray(double[][]::new);
  }
}
