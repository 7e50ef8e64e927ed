package dev.braid.chaos.sim.condition;

import dev.braid.exchange.Contribution;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Gradients that simulated ranks compute. */
@FunctionalInterface
public interface Gradients {

  /** Returns a contribution in a new array; it is equal for equal ranks and rounds. */
  Contribution of(int rank, long round);

  /** Number of samples of a rank in a round; 0 makes its gradient zero. */
  @FunctionalInterface
  interface Samples {

    long of(int rank, long round);

    /** Returns numbers from 0 to {@code most}, so that some ranks have no samples. */
    static Samples upTo(long seed, long most) {
      return (rank, round) -> Seeds.between(Seeds.of(seed, ~rank, round), 0, most);
    }
  }

  /**
   * Returns gradients of whole numbers from −512 to 511. A float holds whole numbers up to 2^24, so
   * sums over up to 32,768 ranks are exact in any order.
   */
  static Gradients wholeNumbers(long seed, int length, Samples samples) {
    return drawn(seed, length, samples, random -> random.nextInt() >> 22);
  }

  /**
   * Returns gradients of numbers of all magnitudes from 2^−20 to 1, whose sums depend on the order.
   */
  static Gradients reals(long seed, int length, Samples samples) {
    return drawn(
        seed, length, samples, random -> Math.scalb(random.nextFloat(-1, 1), -random.nextInt(20)));
  }

  private static Gradients drawn(long seed, int length, Samples samples, Draw draw) {
    return (rank, round) -> {
      long count = samples.of(rank, round);
      float[] gradient = new float[length];
      if (count > 0) {
        SplittableRandom random = Seeds.of(seed, rank, round);
        for (int i = 0; i < length; i++) {
          gradient[i] = draw.next(random);
        }
      }
      return new Contribution(round, gradient, count);
    };
  }

  /**
   * Returns the gradient for these weights, derived from a drawn one.
   *
   * @param drawn drawn gradient, which is not changed
   */
  default float[] at(float[] weights, float[] drawn) {
    return drawn;
  }

  /** Returns gradients that include the weights, so that they differ where weights differ. */
  default Gradients withWeights() {
    Gradients drawn = this;
    return new Gradients() {
      @Override
      public Contribution of(int rank, long round) {
        return drawn.of(rank, round);
      }

      @Override
      public float[] at(float[] weights, float[] values) {
        float[] sum = values.clone();
        for (int i = 0; i < sum.length; i++) {
          sum[i] += weights[i];
        }
        return sum;
      }
    };
  }

  /**
   * Returns these gradients, each drawn once and then copied: for short vectors with many calls.
   */
  default Gradients drawnOnce() {
    Map<List<Long>, Contribution> drawn = new HashMap<>();
    return (rank, round) -> {
      Contribution one = drawn.computeIfAbsent(List.of((long) rank, round), key -> of(rank, round));
      return new Contribution(round, one.gradient().clone(), one.samples());
    };
  }

  /** Draws one element. */
  @FunctionalInterface
  interface Draw {
    float next(SplittableRandom random);
  }
}
