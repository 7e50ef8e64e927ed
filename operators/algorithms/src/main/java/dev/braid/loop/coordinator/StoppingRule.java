package dev.braid.loop.coordinator;

import java.io.Serializable;

/**
 * The rule that may stop training before its last epoch. It is applied at the end of each epoch to
 * the quality on the whole test set, for which higher is better: the share of samples that are
 * classified correctly, or the negated mean loss.
 *
 * @param target quality at which training stops; NaN for none
 * @param patience number of epochs without a better quality after which training stops; 0 for never
 */
public record StoppingRule(double target, int patience) implements Serializable {

  /** The rule that lets training run for all epochs. */
  public static final StoppingRule NONE = new StoppingRule(Double.NaN, 0);

  public StoppingRule {
    if (patience < 0) {
      throw new IllegalArgumentException("patience %d: must be 0 or more".formatted(patience));
    }
  }

  /** Returns the rule that stops at this accuracy. */
  public static StoppingRule at(double targetAccuracy) {
    return new StoppingRule(targetAccuracy, 0);
  }

  /** Returns whether training may stop early, so that ranks must wait at the ends of epochs. */
  public boolean mayStop() {
    return !Double.isNaN(target) || patience > 0;
  }

  boolean isReached(double quality) {
    return quality >= target;
  }

  boolean isOutOfPatience(int epochsWithoutBetter) {
    return patience > 0 && epochsWithoutBetter >= patience;
  }
}
