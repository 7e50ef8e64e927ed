package dev.braid.exchange.compression;

import dev.braid.codec.HalfPrecision;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeDescriptor.Sends;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.option.Compression;
import java.util.Optional;

/**
 * Which messages are packed, and how.
 *
 * @param rounding to which values of 16 bits all are rounded; else they go by what is 0 of them
 * @param roundsPartialSums whether that goes for sums on their way; else for finished ones alone,
 *     and of others for those with such values anyway
 * @param weightsComeBack whether what comes back for gradients are weights, in finished sums or
 *     bodies of their own, and no sum goes beyond who takes the step along it
 * @param models whether what is packed are models, and no gradients
 * @param ifItPays whether values go as they are where links are so fast that packing takes longer
 */
record Packing(
    Optional<HalfPrecision> rounding,
    boolean roundsPartialSums,
    boolean weightsComeBack,
    boolean models,
    boolean ifItPays) {

  /** What becomes of an exchange's messages. */
  static Packing of(ExchangeDescriptor descriptor, ExchangeOptions options, Compression chosen) {
    return new Packing(
        Compression.rounding(chosen),
        descriptor.addsAtTheSameRanks(),
        weightsComeBack(descriptor, options),
        descriptor.sends() == Sends.MODELS,
        isByMeasure(chosen));
  }

  /** Of sums that are added up along one way, and applied as gradients. */
  static Packing ofSums(Compression chosen) {
    return new Packing(Compression.rounding(chosen), true, false, false, isByMeasure(chosen));
  }

  private static boolean isByMeasure(Compression chosen) {
    return chosen instanceof Compression.Threshold threshold
        && threshold.form() == Compression.Form.SIGNS_IF_IT_PAYS;
  }

  /** Whether who has a sum takes the step, and sends weights, which are not sparse. */
  private static boolean weightsComeBack(ExchangeDescriptor descriptor, ExchangeOptions options) {
    return descriptor.hasServers()
        || descriptor.steps(options) == ExchangeDescriptor.Steps.OF_THE_SUM_IN_PARTS;
  }

  /** Whether most values of messages are 0, so that messages may be longer. */
  boolean isSparse() {
    return rounding.isEmpty() && !weightsComeBack;
  }

  /** Whether finished sums are rounded, so that whoever applies one rounds it. */
  boolean roundsSums() {
    return rounding.isPresent() && !weightsComeBack && !models;
  }
}
