package dev.braid.learner;

import dev.braid.vector.Range;
import java.util.List;

/**
 * An optimiser whose steps also make some weights smaller by a share of themselves. That is done
 * first: as no optimiser looks at the weights, it is the same as doing it afterwards by what they
 * were.
 */
final class DecayingUpdater implements Updater {

  private final Updater updater;
  private final UpdaterSpec spec;
  private final LearningRateSchedule schedule;
  private final List<ParameterKinds.Decay> decays;
  private final int batch;

  /**
   * @param batch where each rank's gradients are applied one by one, samples of a full one, as in
   *     {@link Clipping.ByValue}: the shares of all of a round's are those of one step; else 0
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
  public void step(
      float[] weights, float[][] state, Range range, float[] gradientSum, long samples, long step) {
    decay(weights, range, samples, 1, step);
    updater.step(weights, state, range, gradientSum, samples, step);
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
    decay(weights, range, samples, gradients, step);
    updater.steps(weights, state, range, gradientSum, samples, gradients, step);
  }

  private void decay(float[] weights, Range range, long samples, int gradients, long step) {
    double part = batch == 0 ? 1 : Math.min(1, (double) batch * gradients / samples);
    double rate = spec.learningRate() * schedule.factor(step);
    for (ParameterKinds.Decay decay : decays) {
      double share = part * decay.share() * (decay.timesLearningRate() ? rate : 1);
      int start = Math.max(decay.range().start(), range.start());
      int end = Math.min(decay.range().end(), range.end());
      scale(weights, start, end, (float) (1 - share));
    }
  }

  private static void scale(float[] weights, int start, int end, float factor) {
    for (int i = start; i < end; i++) {
      weights[i] *= factor;
    }
  }
}
