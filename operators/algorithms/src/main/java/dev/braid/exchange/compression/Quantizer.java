package dev.braid.exchange.compression;

import dev.braid.codec.LevelQuantizer;
import dev.braid.codec.ResidualClipping;
import dev.braid.codec.SparseValues;
import dev.braid.codec.ThresholdQuantizer;
import dev.braid.codec.ThresholdRule;
import dev.braid.codec.TopK;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.Compression.Form;
import dev.braid.exchange.option.Compression.Rule;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Optional;

/** Takes the part of a gradient that is sent. An instance belongs to one thread. */
sealed interface Quantizer {

  /**
   * Takes the part of the sum of two vectors that is sent.
   *
   * @param last how the previous gradient was quantized; empty before the first
   * @param kept the residual, which is not changed
   * @param added the gradient, which is not changed either, unless it is {@linkplain #usesUp() used
   *     up}
   * @param taken receives the elements taken; its former values are discarded
   * @return the threshold, 0 if there is none
   * @throws dev.braid.codec.NotFiniteException if an element of the sum is not finite; the content
   *     of {@code taken} is then undefined
   */
  float take(
      Optional<ThresholdRule.Last> last,
      float[] kept,
      float[] added,
      Range range,
      SparseValues taken);

  /** Returns whether {@link #take} overwrites the gradient. */
  default boolean usesUp() {
    return false;
  }

  /**
   * Clips the residual after a gradient; by default, does nothing.
   *
   * @param tau threshold of that gradient
   * @param step number of gradients before it
   */
  default void clip(float[] residual, Range range, float tau, long step) {}

  /**
   * Returns the quantizer of a kind of compression, or empty if every element is sent.
   *
   * @param batch number of samples in a full gradient; thresholds in the options refer to their
   *     mean
   */
  static Optional<Quantizer> of(Compression compression, int batch) {
    if (compression instanceof Compression.Threshold threshold) {
      return Optional.of(
          new BeyondThreshold(
              threshold.form(),
              rule(threshold.rule(), batch),
              threshold.rule().clips() ? Optional.of(ResidualClipping.DEFAULT) : Optional.empty()));
    } else if (compression instanceof Compression.Corrected corrected) {
      return Optional.of(
          new BeyondThreshold(
              Form.SIGNS, new ThresholdRule.TargetDensity(corrected.share()), Optional.empty()));
    } else if (compression instanceof Compression.Levels) {
      return Optional.of(new ToLevels());
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
    return theirs.beginningWith(
        rule instanceof Rule.Warm
            ? new ThresholdRule.TargetDensity(theirs.most())
            : new ThresholdRule.Fixed(batch * ThresholdRule.Adaptive.FIRST));
  }

  /** A quantizer that takes the signs of elements beyond a threshold. */
  record BeyondThreshold(Form form, ThresholdRule rule, Optional<ResidualClipping> clipping)
      implements Quantizer {

    @Override
    public float take(
        Optional<ThresholdRule.Last> last,
        float[] kept,
        float[] added,
        Range range,
        SparseValues taken) {
      float tau = rule.tau(last, kept, added, range);
      switch (form) {
        case SIGNS, SIGNS_IF_IT_PAYS -> ThresholdQuantizer.take(kept, added, range, tau, taken);
        case BITMAP -> ThresholdQuantizer.takeWithHalves(kept, added, range, tau, taken);
      }
      return tau;
    }

    @Override
    public void clip(float[] residual, Range range, float tau, long step) {
      clipping.ifPresent(it -> it.clip(residual, range, tau, step));
    }
  }

  /** A quantizer that rounds all elements to 4 bits. */
  record ToLevels() implements Quantizer {
    @Override
    public float take(
        Optional<ThresholdRule.Last> last,
        float[] kept,
        float[] added,
        Range range,
        SparseValues taken) {
      LevelQuantizer.take(kept, added, range, taken);
      return 0;
    }
  }

  /** A quantizer that takes the largest elements as they are. */
  record LargestOnes(double share, TopK topK) implements Quantizer {
    @Override
    public boolean usesUp() {
      return true;
    }

    @Override
    public float take(
        Optional<ThresholdRule.Last> last,
        float[] kept,
        float[] added,
        Range range,
        SparseValues taken) {
      Vectors.add(added, kept, range);
      topK.take(added, range, (int) Math.max(1, Math.round(share * range.length())), taken);
      return 0;
    }
  }
}
