package dev.braid.loop.coordinator;

import java.io.Serializable;

/**
 * When training may stop before its last epoch: decided at the end of each, by the quality on the
 * whole test set, which is the more the better: the share of samples that are classified correctly,
 * or the mean loss, negated.
 *
 * @param target the quality that is enough; NaN where none is
 * @param patience after how many epochs without a better one it is given up; 0 for never
 */
public record StoppingRule(double target, int patience) implements Serializable {

  /** All epochs. */
  public static final StoppingRule NONE = new StoppingRule(Double.NaN, 0);

  public StoppingRule {
    if (patience < 0) {
      throw new IllegalArgumentException("patience %d: 0 or more is needed".formatted(patience));
    }
  }

  /** Stops at this accuracy. */
  public static StoppingRule at(double targetAccuracy) {
    return new StoppingRule(targetAccuracy, 0);
  }

  /** Whether there may be a reason to stop, so that the ends of epochs are waited for. */
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
