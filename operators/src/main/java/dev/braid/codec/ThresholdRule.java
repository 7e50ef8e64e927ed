package dev.braid.codec;

import dev.braid.vector.Range;
import java.util.Arrays;
import java.util.Optional;

/** Which threshold a gradient is quantized with. An instance belongs to one thread. */
public sealed interface ThresholdRule {

  /**
   * Bits behind the first of a {@link TargetDensity}'s thresholds. Thresholds that are farther
   * apart would miss the density, as what one leaves is just below the next.
   */
  int PRECISION = 7;

  /** Bits behind the first of a float32. */
  int FLOAT_PRECISION = 23;

  /**
   * What a rule goes by, and all that a checkpoint has to save of it.
   *
   * @param tau the threshold of the gradient before; 0 if it was taken by none
   * @param density the share of its elements that were sent, 0 to 1
   */
  record Last(float tau, double density) {}

  /**
   * The threshold of the next gradient.
   *
   * @param last what the gradient before was quantized with; none before the first
   * @param kept the residual
   * @param added the gradient, which is not added to it yet
   * @param range of both vectors
   */
  float tau(Optional<Last> last, float[] kept, float[] added, Range range);

  /** The same always. */
  record Fixed(float tau) implements ThresholdRule {
    public Fixed {
      check(tau);
    }

    @Override
    public float tau(Optional<Last> last, float[] kept, float[] added, Range range) {
      return tau;
    }
  }

  /**
   * Deeplearning4j's {@code AdaptiveThresholdAlgorithm}: a step down where fewer than the least
   * were sent, a step up where more than the most were, none between. Twenty steps double it.
   *
   * @param first what gives the threshold of the first gradient
   * @param least density that is enough
   * @param most density that is not too much
   * @param decay factor of a step down, 0.5 to 1
   */
  record Adaptive(ThresholdRule first, double least, double most, double decay)
      implements ThresholdRule {

    /** Deeplearning4j's threshold of the first gradient. */
    public static final float FIRST = 1e-4f;

    /** With Deeplearning4j's defaults. */
    public static final Adaptive DEFAULT =
        new Adaptive(new Fixed(FIRST), 1e-4, 1e-2, Math.pow(0.5, 1 / 20.0));

    public Adaptive {
      if (!(least > 0 && least <= most && most <= 1 && decay >= 0.5 && decay < 1)) {
        throw new IllegalArgumentException(
            "densities of %s to %s with a decay of %s: 0 < least <= most <= 1 and a decay from 0.5 to below 1 are needed"
                .formatted(least, most, decay));
      }
    }

    @Override
    public float tau(Optional<Last> last, float[] kept, float[] added, Range range) {
      // A quantizer that takes no threshold leaves 0, and a gradient of zeros the least that there
      // is: from these no step leads on.
      return last.filter(known -> known.tau() > Float.MIN_NORMAL)
          .map(this::next)
          .orElseGet(() -> first.tau(Optional.empty(), kept, added, range));
    }

    /** The same with another threshold of the first gradient. */
    public Adaptive beginningWith(ThresholdRule other) {
      return new Adaptive(other, least, most, decay);
    }

    private float next(Last last) {
      if (last.density() < least) {
        return bounded(last.tau() * decay);
      }
      return last.density() > most ? bounded(last.tau() / decay) : last.tau();
    }

    /** Whatever comes, it stays a number that can be taken from gradients. */
    private static float bounded(double tau) {
      return (float) Math.max(1e-30, Math.min(1e30, tau));
    }
  }

  /**
   * The threshold that so many elements are beyond, by a sample of them; or, where so many are 0
   * that the others are fewer, that such a share of the others is beyond: none is beyond 0. It has
   * its density from the first gradient on, where a rule that goes by the last density alone comes
   * to it in hundreds of steps, or swings around it: what one threshold leaves is just below that
   * of the next.
   */
  final class TargetDensity implements ThresholdRule {

    /** A density of a thousandth is met to within a quarter then, mostly. */
    private static final int MOST_SAMPLES = 1 << 14;

    /**
     * 2^32 divided by the golden ratio: its multiples are spread evenly, and along no layer's rows.
     */
    private static final long STEP = 0x9E3779B9L;

    private final double target;
    private final LargestSizes sizes = new LargestSizes();
    private float[] sample = {};

    /**
     * Aims at a density.
     *
     * @param target share of the elements, above 0, at most 1
     */
    public TargetDensity(double target) {
      if (!(target > 0 && target <= 1)) {
        throw new IllegalArgumentException(
            "density " + target + ": a share above 0, at most 1, is needed");
      }
      this.target = target;
    }

    @Override
    public float tau(Optional<Last> last, float[] kept, float[] added, Range range) {
      if (range.isEmpty()) {
        return Float.MIN_NORMAL;
      }
      boolean isAll = range.length() <= MOST_SAMPLES;
      Range sampled = Range.ofLength(isAll ? range.length() : MOST_SAMPLES);
      if (sample.length < sampled.length()) {
        sample = new float[sampled.length()];
      }
      for (int i = 0; i < sampled.length(); i++) {
        int place = isAll ? range.start() + i : place(i, range);
        sample[i] = kept[place] + added[place];
      }
      return isAll || countNotZero(sample, sampled) > 0
          ? kth(sample, sampled)
          : kth(sum(kept, added, range), Range.ofLength(range.length()));
    }

    /** Of a vector of which hardly any element is not 0. */
    private static float[] sum(float[] kept, float[] added, Range range) {
      float[] sum = Arrays.copyOfRange(kept, range.start(), range.end());
      for (int i = 0; i < sum.length; i++) {
        sum[i] += added[range.start() + i];
      }
      return sum;
    }

    private static int place(int i, Range range) {
      long place = (((i * STEP) & 0xFFFFFFFFL) * range.length()) >>> Integer.SIZE;
      return range.start() + (int) place;
    }

    private float kth(float[] values, Range range) {
      int wanted = share(range.length());
      int others = countNotZero(values, range);
      int k = wanted <= others ? wanted : share(others);
      return coarse(sizes.kth(values, range, k).value());
    }

    private int share(int elements) {
      return Math.max(1, (int) Math.round(target * elements));
    }
  }

  private static int countNotZero(float[] values, Range range) {
    int count = 0;
    for (int i = range.start(); i < range.end(); i++) {
      count += values[i] == 0 ? 0 : 1;
    }
    return count;
  }

  /**
   * The next number at or below one that has {@value #PRECISION} bits behind its first: some
   * workers take the same τ then, and what all send adds up without rounding, so that sums have few
   * different values.
   */
  private static float coarse(float tau) {
    int dropped = FLOAT_PRECISION - PRECISION;
    float rounded = Float.intBitsToFloat(Float.floatToRawIntBits(tau) >>> dropped << dropped);
    return Math.max(Float.MIN_NORMAL, rounded);
  }

  private static void check(float first) {
    if (!(first > 0) || Float.isInfinite(first)) {
      throw new IllegalArgumentException("threshold " + first + ": a number above 0 is needed");
    }
  }
}
