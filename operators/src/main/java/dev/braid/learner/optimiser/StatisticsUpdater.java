package dev.braid.learner.optimiser;

import dev.braid.vector.Range;
import java.util.Arrays;
import java.util.List;

/**
 * An optimiser of a model that has running statistics among its parameters. The statistics'
 * gradient ({@code BatchNorm}) is subtracted from them directly. The wrapped optimiser receives a
 * gradient of 0 for them, along which it takes no step, and which does not count in a norm.
 *
 * <p>The given gradient is not changed, because it belongs to the exchange.
 */
final class StatisticsUpdater implements Updater {

  private final Updater updater;
  private final List<Range> statistics;

  /** The gradient with 0 for all statistics, at the indices of the weights. */
  private float[] others = {};

  StatisticsUpdater(Updater updater, List<Range> statistics) {
    this.updater = updater;
    this.statistics = statistics;
  }

  @Override
  public int stateVectors() {
    return updater.stateVectors();
  }

  @Override
  public Updater over(Range kept) {
    return new StatisticsUpdater(updater.over(kept), statistics);
  }

  @Override
  public Updater within(Range part) {
    List<Range> inPart =
        statistics.stream()
            .filter(statistic -> statistic.overlaps(part))
            .map(statistic -> ParameterKinds.placed(statistic, part))
            .toList();
    return new StatisticsUpdater(updater.within(part), inPart);
  }

  @Override
  public void remember(float[][] state, Range range, float[] gradientSum, long samples, long step) {
    float[] gradient = others(gradientSum.length, range, gradientSum);
    updater.remember(state, range, gradient, samples, step);
  }

  @Override
  public void step(
      float[] weights, float[][] state, Range range, float[] gradientSum, long samples, long step) {
    float[] gradient = others(weights.length, range, gradientSum);
    updater.step(weights, state, range, gradient, samples, step);
    follow(weights, range, gradientSum, samples);
  }

  @Override
  public void steps(
      float[] weights,
      float[][] state,
      Range range,
      float[] gradientSum,
      long samples,
      int gradients,
      long step) {
    float[] gradient = others(weights.length, range, gradientSum);
    updater.steps(weights, state, range, gradient, samples, gradients, step);
    follow(weights, range, gradientSum, samples);
  }

  private float[] others(int parameters, Range range, float[] gradientSum) {
    if (others.length != parameters) {
      others = new float[parameters];
    }
    System.arraycopy(gradientSum, range.start(), others, range.start(), range.length());
    for (Range statistic : statistics) {
      int start = Math.max(statistic.start(), range.start());
      int end = Math.min(statistic.end(), range.end());
      if (start < end) {
        Arrays.fill(others, start, end, 0);
      }
    }
    return others;
  }

  private void follow(float[] weights, Range range, float[] gradientSum, long samples) {
    float share = 1f / samples;
    for (Range statistic : statistics) {
      int end = Math.min(statistic.end(), range.end());
      for (int i = Math.max(statistic.start(), range.start()); i < end; i++) {
        weights[i] -= gradientSum[i] * share;
      }
    }
  }
}
