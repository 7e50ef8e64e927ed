package dev.braid.exchange.async;

import dev.braid.exchange.message.Share.Gradient;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * What a rank was sent all at once, because a checkpoint was due, and applies part by part, as it
 * would have come without that.
 *
 * <p>All that is under way adds up to several steps of the learning rate, of gradients whose
 * weights are old. Round by round each step finds weights that know of those before; one step with
 * all of them would go too far, and throw training back at every checkpoint.
 */
final class DeferredSteps {

  /** A sum over a part of the vector. */
  record Part(Range range, Slice values, long samples) {}

  private final Range whole;

  /** With the indices of the vector; made when something comes. */
  private float[] sum = {};

  /** By part: about how many samples are in the sum; 0 where the part is applied. */
  private long[] samples = {};

  private int waiting;
  private int last;

  /** Nothing, of a vector of this length. */
  DeferredSteps(int length) {
    this.whole = Range.ofLength(length);
  }

  /**
   * A sum has come, over a range that is not empty.
   *
   * @param parts in how many rounds all is to be applied; without effect where something waits
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
    // Boundaries are rounded down, so that this may be one too few.
    return element < part(index).end() ? index : index + 1;
  }

  /** Has one part of what waits applied, if there is one. */
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

  /** Has all that waits applied. */
  void applyAll(Consumer<Part> apply) {
    while (waiting > 0) {
      applyNext(apply);
    }
  }

  private Part waiting(int index) {
    Range range = part(index);
    return new Part(range, Slice.view(sum, range), samples[index]);
  }

  /** All that waits. */
  List<Part> parts() {
    return IntStream.range(0, samples.length)
        .filter(i -> samples[i] > 0)
        .mapToObj(this::waiting)
        .toList();
  }

  /** Vectors of the model's length. */
  int vectors() {
    return sum.length == 0 ? 0 : 1;
  }
}
