package dev.braid.exchange.averaging;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.averaging.AveragingDescriptor.Outer;
import java.util.Optional;

/**
 * The step from the last mean along the mean of all ranks' moves since then, with Nesterov's
 * momentum (Douillard et al., "DiLoCo: distributed low-communication training of language models",
 * 2023, Algorithm 1). Without it, the next mean is the mean of the weights.
 *
 * @param rate factor of the step, above 0
 * @param momentum factor of earlier steps, from 0 to below 1
 */
record OuterStep(float rate, float momentum) {

  /** Returns the step that options choose, or empty. */
  static Optional<OuterStep> of(ExchangeOptions options) {
    return options.get(AveragingDescriptor.OUTER) == Outer.NONE
        ? Optional.empty()
        : Optional.of(
            new OuterStep(
                options.get(AveragingDescriptor.OUTER_RATE).floatValue(),
                options.get(AveragingDescriptor.OUTER_MOMENTUM).floatValue()));
  }

  /** Returns a description for people. */
  String title() {
    return "Nesterov step of rate " + rate + " and momentum " + momentum;
  }

  /** Returns the velocity of an element after a move. */
  float velocity(float before, float move) {
    return momentum * before + move;
  }

  /** Returns the step of an element for a move, with the velocity after it. */
  float step(float velocity, float move) {
    return rate * (move + momentum * velocity);
  }
}
