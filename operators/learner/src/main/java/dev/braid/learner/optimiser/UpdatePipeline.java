package dev.braid.learner.optimiser;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;
import java.util.Arrays;
import java.util.List;

/**
 * An optimiser with everything between a sum of gradients and the weights, in a fixed order:
 *
 * <ol>
 *   <li>The gradient of running statistics is replaced by 0, along which no rule takes a step, and
 *       which does not count in a norm.
 *   <li>The gradient is clipped.
 *   <li>The rule changes state and weights.
 *   <li>Weights decay. The rule's step and the decay are added together and rounded once, as in
 *       Deeplearning4j. A share of 1e-7, if it were subtracted separately, would be lost or
 *       doubled, because adjacent floats are about that far apart. Together with the rest of a step
 *       it is right on average.
 *   <li>The gradient of running statistics ({@code BatchNorm}) is subtracted from them directly.
 * </ol>
 *
 * <p>It processes one block after the other. If only the rule has something to do, and weights,
 * state and gradient have a common index, the rule works on these arrays. Otherwise it works on
 * copies of a block.
 */
final class UpdatePipeline implements Updater {

  /**
   * Elements per block. For Adam, the five arrays of a block and their sources take 36 kB, about
   * the size of a common first-level cache.
   */
  static final int BLOCK = 1024;

  private static final float[] NO_WEIGHTS = {};

  private final UpdateRule rule;
  private final double learningRate;
  private final LearningRateSchedule schedule;
  private final Clipping clipping;
  private final List<Range> statistics;
  private final List<ParameterKinds.Decay> decays;
  private final int batch;

  // A block's gradient, weights, change of the weights, and state.
  private final float[] someGradients = new float[BLOCK];
  private final float[] someWeights = new float[BLOCK];
  private final float[] growth = new float[BLOCK];
  private final float[][] someState;

  UpdatePipeline(Optimiser settings, LearningRateSchedule schedule) {
    this.rule = settings.updater().rule();
    this.learningRate = settings.updater().learningRate();
    this.schedule = schedule;
    this.clipping = settings.clipping();
    this.statistics = settings.parameters().statistics();
    this.decays = settings.parameters().decays();
    this.batch = settings.batch();
    this.someState = new float[rule.stateVectors()][BLOCK];
  }

  @Override
  public int stateVectors() {
    return rule.stateVectors();
  }

  @Override
  public void step(float[] weights, float[][] state, int offset, Step step) {
    check(state, offset, step.range());
    double rate = learningRate * schedule.factor(step.number());
    Clip clip = clip(step, weights.length);
    UpdateRule.Change change = rule.step((float) rate, step);
    Range range = step.range();
    boolean isInPlace =
        clip == Clip.NONE
            && statistics.isEmpty()
            && decays.isEmpty()
            && step.sum().offset() == range.start()
            && (offset == 0 || state.length == 0);
    for (int i = 0; i < range.chunks(BLOCK); i++) {
      Range block = range.chunk(i, BLOCK);
      if (isInPlace) {
        change.over(weights, state, step.sum().array(), block.start(), block.end());
      } else {
        loadGradients(step, block, clip);
        loadState(state, block.start() - offset, block.length());
        System.arraycopy(weights, block.start(), someWeights, 0, block.length());
        changeWeights(change, step, block, rate);
        System.arraycopy(someWeights, 0, weights, block.start(), block.length());
        storeState(state, block.start() - offset, block.length());
      }
    }
  }

  @Override
  public void remember(float[][] state, int offset, Step step) {
    check(state, offset, step.range());
    if (clipping instanceof Clipping.ByNorm) {
      throw new UnsupportedOperationException(
          "a copy of the state over "
              + step.range()
              + ": clipping by norm needs the whole gradient");
    }
    double rate = learningRate * schedule.factor(step.number());
    Clip clip = clip(step, 0);
    UpdateRule.Change change = rule.remember((float) rate, step);
    Range range = step.range();
    int first = range.start() - offset;
    boolean isInPlace = clip == Clip.NONE && statistics.isEmpty() && step.sum().offset() == first;
    for (int i = 0; i < range.chunks(BLOCK); i++) {
      Range block = range.chunk(i, BLOCK);
      int at = block.start() - offset;
      if (isInPlace) {
        change.over(NO_WEIGHTS, state, step.sum().array(), at, at + block.length());
      } else {
        loadGradients(step, block, clip);
        loadState(state, at, block.length());
        change.over(NO_WEIGHTS, someState, someGradients, 0, block.length());
        storeState(state, at, block.length());
      }
    }
  }

  private void check(float[][] state, int offset, Range range) {
    if (state.length != rule.stateVectors()) {
      throw new IllegalArgumentException(
          "a step with " + state.length + " state vectors: must be " + rule.stateVectors());
    }
    Range kept = state.length == 0 ? range : new Range(offset, offset + state[0].length);
    if (!kept.contains(range)) {
      throw new IllegalArgumentException(
          "a step over " + range + ": must be within " + kept + ", which has state");
    }
  }

  // ---- clipping --------------------------------------------------------------------------------

  /** The clipping of one step's gradient. */
  @FunctionalInterface
  private interface Clip {

    Clip NONE = (gradients, block) -> {};

    void over(float[] gradients, Range block);
  }

  private Clip clip(Step step, int parameters) {
    if (clipping instanceof Clipping.ByValue byValue) {
      long summed = batch == 0 ? step.samples() : (long) batch * step.gradients();
      float most = (float) (byValue.limit() * summed);
      return (gradients, block) -> hold(gradients, block.end(), most);
    }
    if (clipping instanceof Clipping.ByNorm byNorm) {
      double norm = norm(step, parameters) / step.samples();
      float factor = (float) (byNorm.limit() / norm);
      return norm <= byNorm.limit()
          ? Clip.NONE
          : (gradients, block) -> Vectors.scale(gradients, factor, block);
    }
    return Clip.NONE;
  }

  private double norm(Step step, int parameters) {
    Range range = step.range();
    if (range.length() != parameters) {
      throw new IllegalArgumentException(
          "a step over "
              + range
              + " of "
              + parameters
              + " parameters: clipping by norm needs the whole gradient");
    }
    double[] squares = new double[Vectors.PARTIAL_SUMS];
    for (int i = 0; i < range.chunks(BLOCK); i++) {
      Range block = range.chunk(i, BLOCK);
      loadGradients(step, block, Clip.NONE);
      Vectors.addSquares(squares, someGradients, Range.ofLength(block.length()));
    }
    return Vectors.norm(squares);
  }

  private static void hold(float[] values, int end, float most) {
    for (int i = 0; i < end; i++) {
      values[i] = Math.max(-most, Math.min(most, values[i]));
    }
  }

  // ---- blocks ----------------------------------------------------------------------------------

  private void loadGradients(Step step, Range block, Clip clip) {
    Slice sum = step.sum();
    int from = sum.offset() + block.start() - step.range().start();
    System.arraycopy(sum.array(), from, someGradients, 0, block.length());
    for (Range statistic : statistics) {
      if (statistic.overlaps(block)) {
        Range both = statistic.common(block);
        int start = both.start() - block.start();
        Arrays.fill(someGradients, start, start + both.length(), 0);
      }
    }
    clip.over(someGradients, Range.ofLength(block.length()));
  }

  private void changeWeights(UpdateRule.Change change, Step step, Range block, double rate) {
    int length = block.length();
    if (decays.isEmpty()) {
      change.over(someWeights, someState, someGradients, 0, length);
    } else {
      Arrays.fill(growth, 0, length, 0);
      change.over(growth, someState, someGradients, 0, length);
      decay(step, block, rate);
      Vectors.add(someWeights, growth, Range.ofLength(length));
    }
    followStatistics(step, block);
  }

  private void decay(Step step, Range block, double rate) {
    double part = batch == 0 ? 1 : Math.min(1, (double) batch * step.gradients() / step.samples());
    for (ParameterKinds.Decay decay : decays) {
      if (decay.range().overlaps(block)) {
        Range both = decay.range().common(block);
        double share = part * decay.share() * (decay.timesLearningRate() ? rate : 1);
        int start = both.start() - block.start();
        shrink(growth, someWeights, start, start + both.length(), (float) share);
      }
    }
  }

  private static void shrink(float[] growth, float[] weights, int start, int end, float share) {
    for (int i = start; i < end; i++) {
      growth[i] -= weights[i] * share;
    }
  }

  private void followStatistics(Step step, Range block) {
    Slice sum = step.sum();
    float share = 1f / step.samples();
    for (Range statistic : statistics) {
      if (statistic.overlaps(block)) {
        Range both = statistic.common(block);
        int from = sum.offset() + both.start() - step.range().start();
        int into = both.start() - block.start();
        for (int i = 0; i < both.length(); i++) {
          someWeights[into + i] -= sum.array()[from + i] * share;
        }
      }
    }
  }

  private void loadState(float[][] state, int at, int length) {
    for (int v = 0; v < someState.length; v++) {
      System.arraycopy(state[v], at, someState[v], 0, length);
    }
  }

  private void storeState(float[][] state, int at, int length) {
    for (int v = 0; v < someState.length; v++) {
      System.arraycopy(someState[v], 0, state[v], at, length);
    }
  }
}
