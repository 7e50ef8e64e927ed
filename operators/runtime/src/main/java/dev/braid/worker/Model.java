package dev.braid.worker;

import dev.braid.exchange.Port.Remembering;
import dev.braid.exchange.Update;
import dev.braid.learner.optimiser.Step;
import dev.braid.learner.optimiser.Updater;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.VectorDigest;
import java.util.Arrays;
import java.util.List;

/**
 * One replica: the weights, the updater with its state, and the way in which updates change them.
 */
final class Model {

  private static final int SAMPLE = 4096;

  private final Updater updater;
  private float[] weights;
  private float[][] updaterState;

  /** The range that the updater's state covers: all elements, or what this rank serves. */
  private Range kept;

  private long steps;

  /**
   * Steps over parts of this range make one step when they have covered it; if it is empty, none is
   * counted.
   */
  private Range counted;

  /** Number of elements that the step in progress has changed. */
  private int stepped;

  /** Whether another thread may be reading the array of the weights. */
  private boolean lent;

  private float[] copy = {};

  Model(Updater updater, float[] weights, float[][] updaterState, long steps) {
    if (updaterState.length != updater.stateVectors()) {
      throw new IllegalArgumentException(
          "the updater has "
              + updater.stateVectors()
              + " state vectors, but "
              + updaterState.length
              + " are given");
    }
    this.updater = updater;
    this.weights = weights;
    this.updaterState = updaterState;
    this.steps = steps;
    this.kept = Range.ofLength(weights.length);
    this.counted = kept;
  }

  float[] weights() {
    return weights;
  }

  /** Returns the number of vectors: the weights, then those of the updater's state. */
  int vectorCount() {
    return 1 + updaterState.length;
  }

  /**
   * Returns a view of a part of one of the vectors.
   *
   * @param index 0 for the weights, i for the i-th vector of the updater's state
   * @param range a range within {@link #serve the served range}, if the rank does not serve all
   */
  Slice part(int index, Range range) {
    return index == 0
        ? Slice.view(weights, range)
        : Slice.view(updaterState[index - 1], range.start() - kept.start(), range.length());
  }

  /**
   * Returns the weights, then the vectors of the updater's state, not copied. Each is a {@code
   * float[length]}; vectors of the state cover only the {@linkplain #serve served} range.
   */
  float[][] vectors() {
    float[][] vectors = new float[vectorCount()][];
    vectors[0] = weights;
    System.arraycopy(updaterState, 0, vectors, 1, updaterState.length);
    return vectors;
  }

  /**
   * Returns the number of steps that the updater has taken. These are the steps over all weights;
   * at a server, those over its whole served range; and at a rank of an asynchronous exchange
   * without servers, those with its own gradients.
   */
  long steps() {
    return steps;
  }

  /** Sets the number of steps, after copying a replica or taking parts of one back. */
  void setSteps(long taken) {
    steps = taken;
    stepped = 0;
  }

  /** Returns a copy of the weights for another thread; valid until the next call. */
  float[] copyWeights() {
    if (copy.length != weights.length) {
      copy = new float[weights.length];
    }
    System.arraycopy(weights, 0, copy, 0, copy.length);
    return copy;
  }

  /**
   * Returns the weights for a reader on another thread, without a copy. With an asynchronous
   * exchange, steps are taken meanwhile, and the reader finds some elements changed and others not,
   * as in Ako (§4.1). This is good enough for a gradient, and a copy for each gradient would take
   * time. If the replica is replaced by a copy, the reader keeps the old array.
   */
  float[] lendWeights() {
    lent = true;
    return weights;
  }

  /** Ends the loan of the weights: the other thread does not read them any more. */
  void weightsAreBack() {
    lent = false;
  }

  /**
   * Restricts all following steps to a range; parts of it make one step when they have covered it.
   * Keeps the updater's state over this range only.
   */
  void serve(Range range) {
    counted = range;
    if (!kept.equals(range)) {
      Range before = kept;
      kept = range;
      updaterState =
          Arrays.stream(updaterState)
              .map(vector -> moved(vector, before, range))
              .toArray(float[][]::new);
    }
  }

  /**
   * Returns a vector over the range {@code to}, with the values of one over {@code from}; zeros
   * elsewhere.
   */
  private static float[] moved(float[] vector, Range from, Range to) {
    float[] moved = new float[to.length()];
    Range both = from.common(to);
    if (!both.isEmpty()) {
      System.arraycopy(
          vector, both.start() - from.start(), moved, both.start() - to.start(), both.length());
    }
    return moved;
  }

  /** Counts only the steps that {@link #ownStep()} reports from here on. */
  void countOwnSteps() {
    counted = Range.EMPTY;
  }

  /** Counts a step: the rank's own gradient is in the weights. */
  void ownStep() {
    steps++;
  }

  private void count(Range range) {
    if (counted.isEmpty()) {
      return;
    }
    // With an asynchronous exchange, the parts of different gradients arrive interleaved, and parts
    // differ in length. The end of a step may therefore be within a part.
    stepped += range.length();
    if (stepped >= counted.length()) {
      stepped -= counted.length();
      steps++;
    }
  }

  void apply(Update update) {
    if (update instanceof Update.GradientSum sum) {
      step(sum);
    } else if (update instanceof Update.Replacement replacement) {
      detachWeights();
      Slice values = replacement.values();
      boolean ofWeights = replacement.vector() == 0;
      float[] vector = ofWeights ? weights : updaterState[replacement.vector() - 1];
      int at = replacement.range().start() - (ofWeights ? 0 : kept.start());
      System.arraycopy(values.array(), values.offset(), vector, at, values.length());
    }
  }

  private void step(Update.GradientSum sum) {
    Step step = new Step(sum.range(), sum.values(), sum.samples(), sum.gradients(), steps);
    updater.step(weights, updaterState, kept.start(), step);
    count(sum.range());
  }

  /**
   * Returns the effect of this model's steps on the updater's state, for copies of a part of it.
   */
  Remembering remembering(Range part) {
    return (state, sum, samples, taken) -> {
      Slice values = Slice.view(sum, 0, sum.length);
      updater.remember(state, part.start(), new Step(part, values, samples, 1, taken));
    };
  }

  /**
   * Returns a copy of this replica that has taken these steps, too; this replica if there are none.
   */
  Model after(List<Update.GradientSum> sums) {
    if (sums.isEmpty()) {
      return this;
    }
    Model copied = copy();
    sums.forEach(copied::apply);
    return copied;
  }

  /** Returns an independent copy. */
  Model copy() {
    float[][] state = new float[updaterState.length][];
    Arrays.setAll(state, i -> updaterState[i].clone());
    Model copied = new Model(updater, weights.clone(), state, steps);
    copied.kept = kept;
    copied.counted = counted;
    copied.stepped = stepped;
    return copied;
  }

  private void detachWeights() {
    if (lent) {
      lent = false;
      weights = weights.clone();
    }
  }

  /** Returns at most {@value #SAMPLE} of the weights, evenly spaced. */
  float[] sample() {
    int count = Math.min(SAMPLE, weights.length);
    float[] sample = new float[count];
    for (int i = 0; i < count; i++) {
      sample[i] = weights[(int) ((long) i * weights.length / count)];
    }
    return sample;
  }

  /** Returns the SHA-256 digest of the weights as little-endian float32. */
  byte[] digest() {
    return VectorDigest.sha256(weights);
  }
}
