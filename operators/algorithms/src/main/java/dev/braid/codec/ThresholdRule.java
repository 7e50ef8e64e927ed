package dev.braid.codec;

import dev.braid.vector.Range;
import java.util.Arrays;
import java.util.Optional;

/**
 * A rule for the threshold with which a gradient is quantized. An instance belongs to one thread.
 */
public sealed interface ThresholdRule {

  /**
   * Number of bits after the leading bit in the thresholds of {@link TargetDensity}. Thresholds
   * that are farther apart would miss the density, because what one threshold leaves is just below
   * the next.
   */
  int PRECISION = 7;

  /** Number of bits after the leading bit of a float32. */
  int FLOAT_PRECISION = 23;

  /**
   * Quantization of the previous gradient: all that a rule needs, and that a checkpoint must save.
   *
   * @param tau threshold of the previous gradient; 0 if it was quantized without one
   * @param density fraction of its elements that were sent, 0 to 1
   */
  record Last(float tau, double density) {}

  /**
   * Returns the threshold of the next gradient.
   *
   * @param last how the previous gradient was quantized; empty before the first
   * @param kept the residual
   * @param added the gradient, which is not added to the residual yet
   * @param range range of both vectors
   */
  float tau(Optional<Last> last, float[] kept, float[] added, Range range);

  /** A constant threshold. */
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
   * Deeplearning4j's {@code AdaptiveThresholdAlgorithm}. The threshold decreases by a step if the
   * last density was below the least, increases by a step if it was above the most, and otherwise
   * stays. With Deeplearning4j's defaults, 20 steps double or halve it.
   *
   * @param first rule for the threshold of the first gradient
   * @param least lowest acceptable density
   * @param most highest acceptable density
   * @param decay factor of a step down, 0.5 ≤ decay &lt; 1
   */
  record Adaptive(ThresholdRule first, double least, double most, double decay)
      implements ThresholdRule {

    /** Deeplearning4j's threshold of the first gradient. */
    public static final float FIRST = 1e-4f;

    /** The rule with Deeplearning4j's defaults. */
    public static final Adaptive DEFAULT =
        new Adaptive(new Fixed(FIRST), 1e-4, 1e-2, Math.pow(0.5, 1 / 20.0));

    public Adaptive {
      if (!(least > 0 && least <= most && most <= 1 && decay >= 0.5 && decay < 1)) {
        throw new IllegalArgumentException(
            "densities %s to %s, decay %s: must be 0 < least <= most <= 1 and 0.5 <= decay < 1"
                .formatted(least, most, decay));
      }
    }

    @Override
    public float tau(Optional<Last> last, float[] kept, float[] added, Range range) {
      // A threshold of 0 comes from a quantizer without one, and the smallest from a gradient of
      // zeros. No step leads away from these, so the rule begins again.
      return last.filter(known -> known.tau() > Float.MIN_NORMAL)
          .map(this::next)
          .orElseGet(() -> first.tau(Optional.empty(), kept, added, range));
    }

    /** Returns this rule with another threshold of the first gradient. */
    public Adaptive beginningWith(ThresholdRule other) {
      return new Adaptive(other, least, most, decay);
    }

    private float next(Last last) {
      if (last.density() < least) {
        return bounded(last.tau() * decay);
      }
      return last.density() > most ? bounded(last.tau() / decay) : last.tau();
    }

    /** Bounds a threshold so that it can always be subtracted from gradients. */
    private static float bounded(double tau) {
      return (float) Math.max(1e-30, Math.min(1e30, tau));
    }
  }

  /**
   * The threshold beyond which a given fraction of the elements lies, estimated from a sample. If
   * so many elements are 0 that the others are fewer than this, the fraction refers to the others,
   * as no threshold is 0. This rule reaches its density with the first gradient. A rule that uses
   * only the last density reaches it in hundreds of steps, or oscillates around it, because what
   * one threshold leaves is just below the next.
   */
  final class TargetDensity implements ThresholdRule {

    /** Maximum size of the sample. With it, a density of 0.001 is mostly met within a quarter. */
    private static final int MOST_SAMPLES = 1 << 14;

    /**
     * 2^32 divided by the golden ratio. Its multiples are spread evenly, and do not follow any
     * layer's rows.
     */
    private static final long STEP = 0x9E3779B9L;

    private final double target;
    private final LargestSizes sizes = new LargestSizes();
    private float[] sample = {};

    /**
     * Creates a rule that aims at a density.
     *
     * @param target fraction of the elements, 0 &lt; target ≤ 1
     */
    public TargetDensity(double target) {
      if (!(target > 0 && target <= 1)) {
        throw new IllegalArgumentException(
            "density " + target + ": must be a share above 0, at most 1");
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

    /** Returns the sum of the vectors, of which hardly any element is not 0. */
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
   * Rounds a threshold down to {@value #PRECISION} bits after the leading bit. Then some workers
   * choose the same τ, and what all of them send adds up without rounding. So sums have few
   * different values.
   */
  private static float coarse(float tau) {
    int dropped = FLOAT_PRECISION - PRECISION;
    float rounded = Float.intBitsToFloat(Float.floatToRawIntBits(tau) >>> dropped << dropped);
    return Math.max(Float.MIN_NORMAL, rounded);
  }

  private static void check(float first) {
    if (!(first > 0) || Float.isInfinite(first)) {
      throw new IllegalArgumentException("threshold " + first + ": must be a number above 0");
    }
  }
}
