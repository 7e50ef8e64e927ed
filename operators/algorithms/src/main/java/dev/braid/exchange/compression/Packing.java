package dev.braid.exchange.compression;

import dev.braid.codec.HalfPrecision;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeDescriptor.Sends;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.option.Compression;
import java.util.Optional;

/**
 * Choice of the messages that are packed, and of their form.
 *
 * @param rounding form of 16 bits to which all values are rounded; if empty, sparse messages are
 *     sent without their zeros
 * @param roundsPartialSums whether partial sums are rounded, too; if false, only finished sums are,
 *     and partial sums take 16 bits only if the form has all their values
 * @param weightsComeBack whether weights are returned for gradients, in finished sums or in bodies
 *     of their own; then the rank that takes the step does not pass a sum on
 * @param models whether models are packed instead of gradients
 * @param ifItPays whether values are sent unpacked where links are so fast that packing takes
 *     longer
 */
record Packing(
    Optional<HalfPrecision> rounding,
    boolean roundsPartialSums,
    boolean weightsComeBack,
    boolean models,
    boolean ifItPays) {

  /** Returns the packing of an exchange's messages. */
  static Packing of(ExchangeDescriptor descriptor, ExchangeOptions options, Compression chosen) {
    return new Packing(
        Compression.rounding(chosen),
        descriptor.addsAtTheSameRanks(options),
        weightsComeBack(descriptor, options),
        descriptor.sends() == Sends.MODELS,
        isByMeasure(chosen));
  }

  /**
   * Returns the packing of sums that are added up along one way, and applied as gradients.
   *
   * @param addsAtTheSameRanks whether each sum is computed at one fixed rank
   */
  static Packing ofSums(Compression chosen, boolean addsAtTheSameRanks) {
    return new Packing(
        Compression.rounding(chosen), addsAtTheSameRanks, false, false, isByMeasure(chosen));
  }

  private static boolean isByMeasure(Compression chosen) {
    return chosen instanceof Compression.Threshold threshold
        && threshold.form() == Compression.Form.SIGNS_IF_IT_PAYS;
  }

  /**
   * Returns whether the rank that has a sum takes the step and sends weights, which are not sparse.
   */
  private static boolean weightsComeBack(ExchangeDescriptor descriptor, ExchangeOptions options) {
    return descriptor.hasServers()
        || descriptor.steps(options) == ExchangeDescriptor.Steps.OF_THE_SUM_IN_PARTS;
  }

  /** Returns whether most values of messages are 0, so that messages may be longer. */
  boolean isSparse() {
    return rounding.isEmpty() && !weightsComeBack;
  }

  /**
   * Returns whether finished sums are rounded, so that every rank that applies one must round it.
   */
  boolean roundsSums() {
    return rounding.isPresent() && !weightsComeBack && !models;
  }
}
