package dev.braid.exchange.async;

import dev.braid.exchange.message.Share.Gradient;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Gradient sums that a checkpoint's flush delivered all at once. They are applied part by part, as
 * they would have arrived without the checkpoint.
 *
 * <p>Together they add up to several steps of the learning rate, with gradients of old weights.
 * Applied round by round, each step's gradient is computed from weights that include the steps
 * before. One step with all of them would go too far, and set training back at every checkpoint.
 */
final class DeferredSteps {

  /** A gradient sum over a part of the vector. */
  record Part(Range range, Slice values, long samples) {}

  private final Range whole;

  /**
   * The deferred sum, at the indices of the vector; {@code float[length]}, allocated when the first
   * sum arrives.
   */
  private float[] sum = {};

  /** Approximate number of samples in the sum, by part; 0 if the part is applied. */
  private long[] samples = {};

  private int waiting;

  /**
   * Index of the part that was applied last; 0 before any was, so that part 1 is applied first. Any
   * part could be the first.
   */
  private int last;

  /**
   * Creates an object with no deferred sums.
   *
   * @param length length of the vector
   */
  DeferredSteps(int length) {
    this.whole = Range.ofLength(length);
  }

  /**
   * Adds a gradient sum over a range that is not empty.
   *
   * @param parts number of rounds over which the deferred sum is applied; ignored if a sum is
   *     already waiting
   */
  void add(Gradient gradient, int parts) {
    if (sum.length == 0) {
      sum = new float[whole.length()];
    }
    if (waiting == 0) {
      samples = new long[Math.min(parts, whole.length())];
      last = 0;
    }
    Range range = gradient.range();
    gradient.payload().addTo(sum, range.start());
    for (int i = partWith(range.start()); i <= partWith(range.end() - 1); i++) {
      Range part = part(i);
      int overlap = Math.min(range.end(), part.end()) - Math.max(range.start(), part.start());
      waiting += samples[i] == 0 ? 1 : 0;
      samples[i] += (gradient.samples() * overlap + part.length() - 1) / part.length();
    }
  }

  private Range part(int index) {
    return whole.part(index, samples.length);
  }

  private int partWith(int element) {
    int index = (int) ((long) element * samples.length / whole.length());
    // Boundaries are rounded down, so this index may be one too low.
    return element < part(index).end() ? index : index + 1;
  }

  /** Passes the next waiting part to {@code apply}, if there is one. */
  void applyNext(Consumer<Part> apply) {
    if (waiting == 0) {
      return;
    }
    do {
      last = (last + 1) % samples.length;
    } while (samples[last] == 0);
    apply.accept(waiting(last));
    Range applied = part(last);
    Arrays.fill(sum, applied.start(), applied.end(), 0);
    samples[last] = 0;
    waiting--;
  }

  /** Passes all waiting parts to {@code apply}. */
  void applyAll(Consumer<Part> apply) {
    while (waiting > 0) {
      applyNext(apply);
    }
  }

  private Part waiting(int index) {
    Range range = part(index);
    return new Part(range, Slice.view(sum, range), samples[index]);
  }

  /** Returns all waiting parts. */
  List<Part> parts() {
    return IntStream.range(0, samples.length)
        .filter(i -> samples[i] > 0)
        .mapToObj(this::waiting)
        .toList();
  }

  /** Returns the number of vectors of the model's length that this object holds. */
  int vectors() {
    return sum.length == 0 ? 0 : 1;
  }
}
