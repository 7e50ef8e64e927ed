package dev.braid.exchange.compression;

import dev.braid.codec.ResidualClipping;
import dev.braid.codec.SparseValues;
import dev.braid.codec.ThresholdQuantizer;
import dev.braid.codec.ThresholdRule;
import dev.braid.codec.TopK;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.Compression.Form;
import dev.braid.exchange.option.Compression.Rule;
import dev.braid.vector.Range;
import java.util.Optional;

/** Takes what is sent of a gradient. An instance belongs to one thread. */
sealed interface Quantizer {

  /**
   * Takes what is sent, and leaves something of the rest in the vector.
   *
   * @param last what the gradient before was quantized with; none before the first
   * @param unsent the gradient and the residual together
   * @param taken what was taken; its former values are forgotten
   * @return the threshold, 0 if there is none
   * @throws dev.braid.codec.NotFiniteException if an element is not finite; the vector is of no use
   *     then
   */
  float take(Optional<ThresholdRule.Last> last, float[] unsent, Range range, SparseValues taken);

  /** Whether it takes of two vectors what it would take of their sum, which need not be made. */
  default boolean takesOfSum() {
    return false;
  }

  /**
   * Takes what is sent of the sum of two vectors, and changes neither.
   *
   * @param kept the residual
   * @param added the gradient
   */
  default float takeOfSum(
      Optional<ThresholdRule.Last> last,
      float[] kept,
      float[] added,
      Range range,
      SparseValues taken) {
    throw new UnsupportedOperationException("takes of one vector alone");
  }

  /**
   * What becomes of a residual between two gradients.
   *
   * @param step how many gradients there were before this one's
   */
  default void clip(float[] residual, Range range, float tau, long step) {}

  /**
   * The quantizer of a kind of compression.
   *
   * @param batch samples of a full gradient, of which thresholds are the mean's
   * @return none where every element is sent
   */
  static Optional<Quantizer> of(Compression compression, int batch) {
    if (compression instanceof Compression.Threshold threshold) {
      return Optional.of(
          new BeyondThreshold(
              threshold.form(),
              rule(threshold.rule(), batch),
              threshold.rule() instanceof Rule.Adapting
                  ? Optional.of(ResidualClipping.DEFAULT)
                  : Optional.empty()));
    } else if (compression instanceof Compression.Corrected corrected) {
      return Optional.of(
          new BeyondThreshold(
              Form.SIGNS, new ThresholdRule.TargetDensity(corrected.share()), Optional.empty()));
    } else if (compression instanceof Compression.Largest largest) {
      return Optional.of(new LargestOnes(largest.share(), new TopK()));
    }
    return Optional.empty();
  }

  private static ThresholdRule rule(Rule rule, int batch) {
    if (rule instanceof Rule.OfShare ofShare) {
      return new ThresholdRule.TargetDensity(ofShare.share());
    } else if (rule instanceof Rule.OfMean ofMean) {
      return new ThresholdRule.Fixed(batch * ofMean.tau());
    }
    ThresholdRule.Adaptive theirs = ThresholdRule.Adaptive.DEFAULT;
    return new ThresholdRule.Adaptive(
        batch * theirs.first(), theirs.least(), theirs.most(), theirs.decay());
  }

  /** Signs of what is beyond a threshold. */
  record BeyondThreshold(Form form, ThresholdRule rule, Optional<ResidualClipping> clipping)
      implements Quantizer {

    /** Two bits for each element take less than signs, of which each takes 3 bits and its gap. */
    private static final double DENSE_SHARE = 1.0 / 4;

    @Override
    public float take(
        Optional<ThresholdRule.Last> last, float[] unsent, Range range, SparseValues taken) {
      float tau = rule.tau(last, unsent, range);
      if (form == Form.BITMAP || (form == Form.SHORTER && isDense(unsent, range, tau))) {
        ThresholdQuantizer.takeWithHalves(unsent, range, tau, taken);
      } else {
        ThresholdQuantizer.take(unsent, range, tau, taken);
      }
      return tau;
    }

    @Override
    public boolean takesOfSum() {
      return true;
    }

    @Override
    public float takeOfSum(
        Optional<ThresholdRule.Last> last,
        float[] kept,
        float[] added,
        Range range,
        SparseValues taken) {
      float tau = rule.tauOfSum(last, kept, added, range);
      if (form != Form.BITMAP) {
        ThresholdQuantizer.takeOfSum(kept, added, range, tau, taken);
      }
      if (form == Form.BITMAP || (form == Form.SHORTER && isDense(taken.size(), range))) {
        ThresholdQuantizer.takeOfSumWithHalves(kept, added, range, tau, taken);
      }
      return tau;
    }

    private static boolean isDense(int beyond, Range range) {
      return beyond > DENSE_SHARE * range.length();
    }

    private static boolean isDense(float[] unsent, Range range, float tau) {
      int beyond = 0;
      for (int i = range.start(); i < range.end(); i++) {
        beyond += Math.abs(unsent[i]) >= tau ? 1 : 0;
      }
      return isDense(beyond, range);
    }

    @Override
    public void clip(float[] residual, Range range, float tau, long step) {
      clipping.ifPresent(it -> it.clip(residual, range, tau, step));
    }
  }

  /** The largest elements as they are. */
  record LargestOnes(double share, TopK topK) implements Quantizer {
    @Override
    public float take(
        Optional<ThresholdRule.Last> last, float[] unsent, Range range, SparseValues taken) {
      topK.take(unsent, range, (int) Math.max(1, Math.round(share * range.length())), taken);
      return 0;
    }
  }
}
