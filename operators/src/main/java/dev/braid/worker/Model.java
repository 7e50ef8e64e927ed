package dev.braid.worker;

import dev.braid.exchange.Port.Remembering;
import dev.braid.exchange.Update;
import dev.braid.learner.optimiser.Updater;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.VectorDigest;
import dev.braid.vector.Vectors;
import java.util.Arrays;
import java.util.List;

/** One replica: the weights, the updater with its state, and how updates change them. */
final class Model {

  private static final int SAMPLE = 4096;

  private Updater updater;
  private float[] weights;
  private float[][] updaterState;

  /** Over which the updater's state is here: where ranks serve, over what this one serves. */
  private Range kept;

  private long steps;

  /** Steps over parts of this make one when they have gone through it; over nothing, none does. */
  private Range counted;

  /** Elements that the step under way has changed. */
  private int stepped;

  /** Where values are that come at other indices than the weights'; made when some do. */
  private float[] aligned = {};

  /** Whether the array of the weights is lent to somebody who reads it elsewhere. */
  private boolean lent;

  private float[] copy = {};

  Model(Updater updater, float[] weights, float[][] updaterState, long steps) {
    if (updaterState.length != updater.stateVectors()) {
      throw new IllegalArgumentException(
          "the updater keeps "
              + updater.stateVectors()
              + " state vectors, not "
              + updaterState.length);
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

  /** How many vectors there are: the weights, then those of the updater's state. */
  int vectorCount() {
    return 1 + updaterState.length;
  }

  /**
   * A part of one of the vectors.
   *
   * @param index 0 for the weights, i for the i-th vector of the updater's state
   * @param range within {@link #serve what is served}, where that is not all
   */
  Slice part(int index, Range range) {
    return index == 0
        ? Slice.view(weights, range)
        : Slice.view(updaterState[index - 1], range.start() - kept.start(), range.length());
  }

  /**
   * The weights, then the updater's state: all vectors, each of the weights' length; or, of the
   * state, of that of what is {@linkplain #serve served}.
   */
  float[][] vectors() {
    float[][] vectors = new float[vectorCount()][];
    vectors[0] = weights;
    System.arraycopy(updaterState, 0, vectors, 1, updaterState.length);
    return vectors;
  }

  /**
   * How many steps the updater has taken: those over all weights; or, as a server takes them, those
   * over all parts of the range that it serves; or, where a rank goes its own pace and applies what
   * others send besides, its own.
   */
  long steps() {
    return steps;
  }

  /** A copy was taken over from a replica with so many steps; or parts of one are taken back. */
  void setSteps(long taken) {
    steps = taken;
    stepped = 0;
  }

  /** A copy of the weights, for a reader elsewhere; until the next. */
  float[] copyWeights() {
    if (copy.length != weights.length) {
      copy = new float[weights.length];
    }
    System.arraycopy(weights, 0, copy, 0, copy.length);
    return copy;
  }

  /**
   * The weights, for a reader elsewhere. Of steps that are taken meanwhile, as with asynchronous
   * exchanges, it finds some elements changed and others not yet, as in Ako (§4.1): a gradient is
   * as good for that, and a copy for each would take time. A replica that is taken over leaves the
   * reader what it had.
   */
  float[] lendWeights() {
    lent = true;
    return weights;
  }

  /** Who was lent the weights reads them no more. */
  void weightsAreBack() {
    lent = false;
  }

  /**
   * All steps are over this range from now on, and parts of them make one when they have gone
   * through it. The updater's state is kept over it, and nowhere else.
   */
  void serve(Range range) {
    counted = range;
    if (!kept.equals(range)) {
      Range before = kept;
      kept = range;
      updater = updater.over(range);
      updaterState =
          Arrays.stream(updaterState)
              .map(vector -> moved(vector, before, range))
              .toArray(float[][]::new);
    }
  }

  /** Of a vector over one range, what is in another; zeros elsewhere. */
  private static float[] moved(float[] vector, Range from, Range to) {
    float[] moved = new float[to.length()];
    Range both = from.common(to);
    if (!both.isEmpty()) {
      System.arraycopy(
          vector, both.start() - from.start(), moved, both.start() - to.start(), both.length());
    }
    return moved;
  }

  /** From now on no step counts but those that {@link #ownStep()} tells of. */
  void countOwnSteps() {
    counted = Range.EMPTY;
  }

  /** The rank's own gradient is in the weights. */
  void ownStep() {
    steps++;
  }

  private void count(Range range) {
    if (counted.isEmpty()) {
      return;
    }
    // Where workers go their own pace, the parts of their gradients come mixed, and not all parts
    // are equally long: one step's end may be within a part.
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
    updater.steps(
        weights, updaterState, sum.range(), aligned(sum), sum.samples(), sum.gradients(), steps);
    count(sum.range());
  }

  /** What this model's steps do to the updater's state, for copies of a part of it. */
  Remembering remembering(Range part) {
    Updater ofPart = updater.within(part);
    Range all = Range.ofLength(part.length());
    return (state, sum, samples, taken) -> ofPart.remember(state, all, sum, samples, taken);
  }

  /** Takes a step along a sum, and adds the sum to a vector of the weights' length. */
  void applyAndAdd(Update.GradientSum sum, float[] total) {
    if (sum.gradients() > 1) {
      step(sum);
      Vectors.add(total, sum.range().start(), sum.values());
      return;
    }
    Range range = sum.range();
    updater.stepAndAdd(weights, updaterState, range, aligned(sum), sum.samples(), steps, total);
    count(range);
  }

  /** The values, at the indices of the weights. */
  private float[] aligned(Update.GradientSum sum) {
    Slice values = sum.values();
    Range range = sum.range();
    if (values.length() != range.length()) {
      throw new IllegalArgumentException(
          values.length() + " values for " + range + ": " + range.length() + " are needed");
    }
    if (values.offset() == range.start()) {
      return values.array();
    }
    if (aligned.length == 0) {
      aligned = new float[weights.length];
    }
    System.arraycopy(values.array(), values.offset(), aligned, range.start(), range.length());
    return aligned;
  }

  /** A copy of this replica that has taken these steps, too; itself, if there are none. */
  Model after(List<Update.GradientSum> sums) {
    if (sums.isEmpty()) {
      return this;
    }
    Model copied = copy();
    sums.forEach(copied::apply);
    return copied;
  }

  /** A copy that goes its own way. */
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

  /** At most {@value #SAMPLE} of the weights, evenly spread over them. */
  float[] sample() {
    int count = Math.min(SAMPLE, weights.length);
    float[] sample = new float[count];
    for (int i = 0; i < count; i++) {
      sample[i] = weights[(int) ((long) i * weights.length / count)];
    }
    return sample;
  }

  /** SHA-256 of the weights as little-endian float32. */
  byte[] digest() {
    return VectorDigest.sha256(weights);
  }
}
