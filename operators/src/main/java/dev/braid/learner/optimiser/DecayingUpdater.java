package dev.braid.learner.optimiser;

import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Arrays;
import java.util.List;

/**
 * An optimiser whose steps also reduce some weights by a share of themselves (weight decay).
 *
 * <p>Step and decay are added together and rounded once, as in Deeplearning4j. A share of 1e-7, if
 * it were subtracted separately, would be lost or doubled, because adjacent floats are about that
 * far apart. Together with the rest of a step it is right on average.
 */
final class DecayingUpdater implements Updater {

  private final Updater updater;
  private final UpdaterSpec spec;
  private final LearningRateSchedule schedule;
  private final List<ParameterKinds.Decay> decays;
  private final int batch;

  /** The change of the weights in one step, at the weights' indices. */
  private float[] growth = {};

  /**
   * @param batch number of samples in a full batch if each rank's gradient is applied separately,
   *     as in {@link Clipping.ByValue}: the decay of all gradients of a round then adds up to that
   *     of one step; else 0
   */
  DecayingUpdater(
      Updater updater,
      UpdaterSpec spec,
      LearningRateSchedule schedule,
      List<ParameterKinds.Decay> decays,
      int batch) {
    this.updater = updater;
    this.spec = spec;
    this.schedule = schedule;
    this.decays = decays;
    this.batch = batch;
  }

  @Override
  public int stateVectors() {
    return updater.stateVectors();
  }

  @Override
  public Updater over(Range kept) {
    return new DecayingUpdater(updater.over(kept), spec, schedule, decays, batch);
  }

  @Override
  public Updater within(Range part) {
    List<ParameterKinds.Decay> inPart =
        decays.stream()
            .filter(decay -> decay.range().overlaps(part))
            .map(decay -> decay.within(part))
            .toList();
    return new DecayingUpdater(updater.within(part), spec, schedule, inPart, batch);
  }

  @Override
  public void remember(float[][] state, Range range, float[] gradientSum, long samples, long step) {
    updater.remember(state, range, gradientSum, samples, step);
  }

  @Override
  public void step(
      float[] weights, float[][] state, Range range, float[] gradientSum, long samples, long step) {
    updater.step(noGrowth(weights, range), state, range, gradientSum, samples, step);
    grow(weights, range, samples, 1, step);
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
    updater.steps(noGrowth(weights, range), state, range, gradientSum, samples, gradients, step);
    grow(weights, range, samples, gradients, step);
  }

  /**
   * Returns a vector of zeros over the range. The optimiser adds its step to these zeros instead of
   * to the weights, which no optimiser reads.
   */
  private float[] noGrowth(float[] weights, Range range) {
    if (growth.length != weights.length) {
      growth = new float[weights.length];
    }
    Arrays.fill(growth, range.start(), range.end(), 0);
    return growth;
  }

  private void grow(float[] weights, Range range, long samples, int gradients, long step) {
    double part = batch == 0 ? 1 : Math.min(1, (double) batch * gradients / samples);
    double rate = spec.learningRate() * schedule.factor(step);
    for (ParameterKinds.Decay decay : decays) {
      double share = part * decay.share() * (decay.timesLearningRate() ? rate : 1);
      int start = Math.max(decay.range().start(), range.start());
      int end = Math.min(decay.range().end(), range.end());
      shrink(growth, weights, start, end, (float) share);
    }
    Vectors.add(weights, growth, range);
  }

  private static void shrink(float[] growth, float[] weights, int start, int end, float share) {
    for (int i = start; i < end; i++) {
      growth[i] -= weights[i] * share;
    }
  }
}
